import { expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';
import type { StabilityRun } from './stability.ts';
import { measureStability } from './stability.ts';

function runs(...list: [StabilityRun['status'], number, unknown?, StabilityRun['code']?][]): StabilityRun[] {
  return list.map(([status, duration_ms, output, code]) => {
    const run: StabilityRun = { status, duration_ms };
    if (output !== undefined) run.output = output;
    if (code !== undefined) run.code = code;
    return run;
  });
}

test('describes three passing runs with equal answers, whatever the order of their keys', () => {
  const three = runs(
    ['passed', 234, { a: 1, b: 2 }],
    ['passed', 210, { b: 2, a: 1 }],
    ['passed', 256, { a: 1, b: 2 }],
  );
  expect(measureStability(three)).toEqual({
    runs: 3,
    passed: 3,
    failed: 0,
    pass_rate: 100,
    consistency: 1,
    stable: true,
    stability_class: 'Stable',
    avg_duration_ms: 233,
    min_duration_ms: 210,
    max_duration_ms: 256,
    std_deviation_ms: 18.8,
  });
});

test('rounds two of three to 66.7 and 0.67', () => {
  expect(measureStability(runs(['passed', 10, 'a'], ['failed', 20, 'b'], ['passed', 30, 'a']))).toEqual({
    runs: 3,
    passed: 2,
    failed: 1,
    pass_rate: 66.7,
    consistency: 0.67,
    stable: false,
    stability_class: 'Unstable',
    avg_duration_ms: 20,
    min_duration_ms: 10,
    max_duration_ms: 30,
    std_deviation_ms: 8.2,
  });
});

test('leaves runs that could not be measured out of rates, and skipped runs out of everything', () => {
  const mixed = runs(
    ['passed', 10, 'a'],
    ['error', 50, undefined, 'connection'],
    ['error', 30, undefined, 'agent'],
    ['skipped', 0],
  );
  expect(measureStability(mixed)).toEqual({
    runs: 3,
    passed: 1,
    failed: 2,
    pass_rate: 50,
    consistency: 0.5,
    stable: false,
    stability_class: 'Unstable',
    avg_duration_ms: 30,
    min_duration_ms: 10,
    max_duration_ms: 50,
    std_deviation_ms: 16.3,
  });
});

test('has no rates when nothing was measured and no figures when nothing ran', () => {
  const unmeasured = measureStability(runs(['error', 7, undefined, 'connection']));
  expect(unmeasured).toEqual({
    runs: 1,
    passed: 0,
    failed: 1,
    pass_rate: null,
    consistency: null,
    stable: false,
    stability_class: null,
    avg_duration_ms: 7,
    min_duration_ms: 7,
    max_duration_ms: 7,
    std_deviation_ms: 0,
  });
  expect(measureStability(runs(['skipped', 0]))).toEqual({
    runs: 0,
    passed: 0,
    failed: 0,
    pass_rate: null,
    consistency: null,
    stable: false,
    stability_class: null,
    avg_duration_ms: null,
    min_duration_ms: null,
    max_duration_ms: null,
    std_deviation_ms: null,
  });
});

test('classifies by counts, so that 2499 of 2500 is not stable', () => {
  const classOf = (passed: number, total: number) => {
    const list = Array.from({ length: total }, (_, at) => ({
      status: at < passed ? ('passed' as const) : ('failed' as const),
      duration_ms: 1,
    }));
    const { stability_class, stable, pass_rate } = measureStability(list);
    return { stability_class, stable, pass_rate };
  };
  expect(classOf(2499, 2500)).toEqual({ stability_class: 'Mostly Stable', stable: false, pass_rate: 100 });
  expect(classOf(4, 5)).toEqual({ stability_class: 'Mostly Stable', stable: false, pass_rate: 80 });
  expect(classOf(799, 1000)).toEqual({ stability_class: 'Unstable', stable: false, pass_rate: 79.9 });
  expect(classOf(1, 2)).toEqual({ stability_class: 'Unstable', stable: false, pass_rate: 50 });
  expect(classOf(499, 1000)).toEqual({ stability_class: 'Highly Unstable', stable: false, pass_rate: 49.9 });
});

test('treats no answer as one answer', () => {
  expect(measureStability(runs(['timeout', 5], ['timeout', 5], ['passed', 5, 'a'])).consistency).toBe(0.67);
});

test('spells equal values alike', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
  expect(canonicalJson(undefined)).toBe('null');
});
