import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MetricFold, Scored } from '../model/scores.ts';
import { createMetricFold, MOST_METRICS } from './metric-fold.ts';

/** Adds a case with one verdict of the metric `m` for each attempt. */
function addCase(fold: MetricFold, key: string, scores: readonly number[], group?: string): void {
  for (const score of scores)
    fold.add(key, { status: 'passed', verdicts: [{ type: 'agent', metric: 'm', score }] });
  fold.end(key, group);
}

test('averages over the attempts of a case first, then over cases', () => {
  const fold = createMetricFold();
  addCase(fold, 'often', [0, 0, 0, 1]);
  addCase(fold, 'once', [1]);
  expect(fold.result()).toEqual({
    metrics: [
      {
        metric: 'm',
        mean: 0.625,
        interval: expect.any(Object) as object,
        cases: 2,
        min: 0.25,
        max: 1,
      },
    ],
  });
});

test('a negated verdict counts 1 − score, as in the score of its case', () => {
  const fold = createMetricFold();
  const verdicts: Scored[] = [
    { type: 'similar', score: 0.25, negate: true },
    { type: 'similar', score: 0.25 },
    { type: 'similar', metric: 'low', score: -0.5, negate: true },
  ];
  fold.add('a', { status: 'passed', verdicts });
  fold.end('a');
  expect(fold.result().metrics?.map(({ metric, mean }) => ({ metric, mean }))).toEqual([
    { metric: 'low', mean: 1 },
    { metric: 'similar', mean: 0.5 },
  ]);
});

test('the interval is that of a pass rate with the same case values', () => {
  // 15 × 1, ½, ½, 0, 0, ⅓: a known value of the interval of a suite.
  const values = [...Array.from({ length: 15 }, () => 1), 0.5, 0.5, 0, 0, 1 / 3];
  const fold = createMetricFold();
  for (const [at, value] of values.entries()) addCase(fold, String(at), [value]);
  expect(fold.result().metrics?.[0]?.interval).toEqual({ low: 0.593, high: 0.932 });
});

test('related cases widen the interval', () => {
  const values = Array.from({ length: 40 }, (_, at) => 0.4 + at / 100);
  const [apart, related] = [createMetricFold(), createMetricFold()];
  for (const [at, value] of values.entries()) {
    addCase(apart, String(at), [value]);
    addCase(related, String(at), [value], `group ${String(Math.floor(at / 5))}`);
  }
  // Known values: separate cases, and the same in 8 groups of 5 neighbours.
  expect([apart, related].map((fold) => fold.result().metrics?.[0]?.interval)).toEqual([
    { low: 0.543, high: 0.645 },
    { low: 0.378, high: 0.78 },
  ]);
});

test('a metric is named by its verdict, else by its type; several verdicts of one count with their mean', () => {
  const fold = createMetricFold();
  const verdicts: Scored[] = [
    { type: 'similar', score: 0.25 },
    { type: 'agent', metric: 'tone', score: 0.4 },
    { type: 'agent', metric: 'tone', score: 0.8 },
    { type: 'contains' },
    { type: 'agent', status: 'error', score: 0 },
    { type: 'agent', score: Number.NaN },
  ];
  fold.add('a', { status: 'failed', verdicts });
  fold.end('a');
  expect(fold.result().metrics?.map(({ metric, mean }) => [metric, mean])).toEqual([
    ['similar', 0.25],
    ['tone', 0.6],
  ]);
});

test('a score outside 0 to 1 counts as the nearest end', () => {
  const fold = createMetricFold();
  addCase(fold, 'a', [-0.5]);
  addCase(fold, 'b', [1.5]);
  expect(fold.result().metrics).toMatchObject([{ mean: 0.5, min: 0, max: 1 }]);
});

test('attempts that were not measured or do not count have no score; without scores there is nothing', () => {
  const fold = createMetricFold();
  const verdicts = [{ type: 'agent', score: 1 }];
  fold.add('a', { status: 'error', code: 'judge', verdicts });
  fold.add('a', { status: 'passed', uncounted: 'confirm', verdicts });
  fold.add('a', { status: 'passed', verdicts: [{ type: 'contains' }] });
  fold.add('a', { status: 'timeout' });
  fold.end('a');
  expect(fold.result()).toEqual({});
});

test('keeps a limited number of metrics, and counts what it leaves out', () => {
  const fold = createMetricFold();
  for (let at = 0; at < MOST_METRICS + 3; at += 1) {
    const key = String(at);
    fold.add(key, { status: 'passed', verdicts: [{ type: 'agent', metric: key, score: 1 }] });
    fold.end(key);
  }
  const { metrics, metrics_left_out: leftOut } = fold.result();
  expect({ kept: metrics?.length, leftOut }).toEqual({ kept: MOST_METRICS, leftOut: 3 });
});

test('the order of attempts and of cases changes nothing', () => {
  const attempt = fc.record({ key: fc.nat({ max: 5 }), eighths: fc.nat({ max: 8 }) });
  const orders = fc
    .array(attempt, { minLength: 1, maxLength: 40 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  fc.assert(
    fc.property(orders, (both) => {
      const [one, other] = both.map((list) => {
        const fold = createMetricFold();
        for (const { key, eighths } of list)
          fold.add(String(key), { status: 'passed', verdicts: [{ type: 'm', score: eighths / 8 }] });
        for (const { key } of list) fold.end(String(key));
        return fold.result();
      });
      expect(one).toEqual(other);
    }),
  );
});
