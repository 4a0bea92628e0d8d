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
  ['latency_p95 < 1m30s', { metric: 'latency_p95', operator: '<', value: 90_000 }],
])('reads %s', (text, gate) => {
  expect(parseGate(text)).toEqual({ value: { text: text.trim(), ...gate } });
});

test('a figure at the limit satisfies >= and <=, and no rounding error decides', () => {
  const at = (operator: '<' | '<=' | '>' | '>='): boolean =>
    isSatisfied({ operator, value: 30 }, 100 * (0.1 + 0.2));
  expect([at('>='), at('>'), at('<='), at('<')]).toEqual([true, false, true, false]);
});
