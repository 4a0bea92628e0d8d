import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DURATION_MS, formatDuration, formatGoDuration, parseDuration } from './duration.ts';

describe('parseDuration', () => {
  test.each([
    ['1h30m', 5_400_000],
    ['500ms', 500],
    ['1.5s', 1500],
    ['1.1s', 1100],
    ['.5s', 500],
    ['1.s', 1000],
    ['300us', 0.3],
    ['300µs', 0.3],
    ['300μs', 0.3],
    ['1ns', 0.000001],
    ['30s', 30_000],
    ['1m1m', 120_000],
    ['2m3.004s', 123_004],
    ['0.1h', 360_000],
    ['596h31m23.647s', MAX_DURATION_MS],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each([
    ['', 'invalid duration "": write it like 500ms, 30s or 1h30m'],
    ['abc', 'invalid duration "abc": write it like 500ms, 30s or 1h30m'],
    [' 1s', 'invalid duration " 1s": write it like 500ms, 30s or 1h30m'],
    ['1s ', 'invalid duration "1s ": write it like 500ms, 30s or 1h30m'],
    ['.s', 'invalid duration ".s": write it like 500ms, 30s or 1h30m'],
    ['30', 'invalid duration "30": missing unit, write it like 500ms, 30s or 1h30m'],
    ['1h30', 'invalid duration "1h30": missing unit, write it like 500ms, 30s or 1h30m'],
    ['-5s', 'invalid duration "-5s": no sign allowed, write it like 500ms, 30s or 1h30m'],
    ['+5s', 'invalid duration "+5s": no sign allowed, write it like 500ms, 30s or 1h30m'],
    ['5d', 'invalid duration "5d": unknown unit "d", use h, m, s, ms, us or ns'],
    ['5toString', 'invalid duration "5toString": unknown unit "toString", use h, m, s, ms, us or ns'],
    ['0', 'invalid duration "0": it must be longer than zero'],
    ['0s', 'invalid duration "0s": it must be longer than zero'],
    ['1000h', 'invalid duration "1000h": the longest is 596h31m23.647s'],
  ])('rejects %j', (text, message) => {
    expect(() => parseDuration(text)).toThrow(new Error(message));
  });

  test('reads back whatever formatGoDuration writes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MAX_DURATION_MS }),
        fc.integer({ min: 0, max: 999_999 }),
        (ms, ns) => {
          const duration = Math.min((ms * 1e6 + ns) / 1e6, MAX_DURATION_MS);
          expect(parseDuration(formatGoDuration(duration))).toBe(Math.round(duration * 1e6) / 1e6);
        },
      ),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (ns) => {
        expect(parseDuration(formatGoDuration(ns / 1e6))).toBe(ns / 1e6);
      }),
    );
  });
});

test.each([
  [0, '0s'],
  [30_000, '30s'],
  [300_000, '5m'],
  [90_000, '1m30s'],
  [250, '250ms'],
  [1500, '1.5s'],
  [3_600_000, '1h'],
  [3_605_000, '1h5s'],
  [0.3, '300us'],
])('formatGoDuration(%d) is %s', (ms, text) => {
  expect(formatGoDuration(ms)).toBe(text);
});

test.each([
  [0, '0ms'],
  [0.4, '0ms'],
  [12, '12ms'],
  [999.4, '999ms'],
  [999.6, '1s'],
  [1234, '1.2s'],
  [59_949, '59.9s'],
  [59_960, '1m'],
  [123_000, '2m3s'],
  [3_599_700, '1h'],
  [3_900_000, '1h5m'],
])('formatDuration(%d) is %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});
