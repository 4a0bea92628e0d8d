import { expect, test } from 'vitest';
import { isSatisfied, parseGate } from './parse-gate.ts';

test.each([
  ['pass_rate >= 90', { metric: 'pass_rate', operator: '>=', value: 90 }],
  ['pass_rate>90.5%', { metric: 'pass_rate', operator: '>', value: 90.5 }],
  [
    ' pass_rate [ tag: smoke test ] >= 95 ',
    { metric: 'pass_rate', tag: 'smoke test', operator: '>=', value: 95 },
  ],
  ['cost <= $2.50', { metric: 'cost', operator: '<=', value: 2.5 }],
  ['faithful >= 0.8', { metric: 'score', score: 'faithful', operator: '>=', value: 0.8 }],
  ['answer-relevance>.75', { metric: 'score', score: 'answer-relevance', operator: '>', value: 0.75 }],
  ['metric:cost < 0.5', { metric: 'score', score: 'cost', operator: '<', value: 0.5 }],
  [' metric: tone of voice >= 1', { metric: 'score', score: 'tone of voice', operator: '>=', value: 1 }],
  ['latency_p95 < 1m30s', { metric: 'latency_p95', operator: '<', value: 90_000 }],
])('reads %s', (text, gate) => {
  expect(parseGate(text)).toEqual({ value: { text: text.trim(), ...gate } });
});

test.each([
  ['faithful >= 80', 'a score is from 0 to 1: write 0.8 for 80 %'],
  ['faithful >= high', 'a score is a number from 0 to 1, not "high"'],
  ['faithful 0.8', 'an operator is missing; write >=, >, <= or <'],
  ['metric: >= 0.8', 'after "metric:" there is the name of a metric, like metric:tone >= 0.8'],
  ['metric:tone', 'after "metric:" there is the name of a metric, like metric:tone >= 0.8'],
  ['metric:tone => 0.8', 'unknown operator =>; write >=, >, <= or <'],
  ['passrate >= 90', 'unknown metric passrate; did you mean pass_rate?'],
  ['latency <= 1', 'unknown metric latency; say which: latency_mean, latency_p50, latency_p95'],
  [
    'faithful[tag:smoke] >= 0.8',
    'unknown metric faithful; the metrics are cost, latency_mean, latency_p50, latency_p95, pass_rate',
  ],
])('refuses %s', (text, problem) => {
  expect(parseGate(text)).toEqual({ problem: `"${text}": ${problem}` });
});

test('a figure at the limit satisfies >= and <=, and no rounding error decides', () => {
  const at = (operator: '<' | '<=' | '>' | '>='): boolean =>
    isSatisfied({ operator, value: 30 }, 100 * (0.1 + 0.2));
  expect([at('>='), at('>'), at('<='), at('<')]).toEqual([true, false, true, false]);
});
