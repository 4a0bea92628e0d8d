import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

test('reads milliseconds, seconds and dates', () => {
  expect(readRetryAfter({ 'retry-after-ms': '250', 'retry-after': '9' })).toBe(250);
  expect(readRetryAfter({ 'retry-after': ' 1.5 ' })).toBe(1500);
  expect(readRetryAfter({ 'retry-after': ['2', '3'] })).toBe(2000);
  const date = 'Wed, 18 Nov 2026 01:00:00 GMT';
  expect(readRetryAfter({ date, 'retry-after': 'Wed, 18 Nov 2026 01:00:30 GMT' })).toBe(30_000);
  expect(readRetryAfter({ date, 'retry-after': 'Wed, 18 Nov 2026 00:59:00 GMT' })).toBe(0);
});

test('ignores anything else', () => {
  expect(readRetryAfter({})).toBe(undefined);
  expect(readRetryAfter({ 'retry-after': 'soon', 'retry-after-ms': '' })).toBe(undefined);
});
