import { expect, test } from 'vitest';
import type { TestCase } from '../../model/case.ts';
import { assertedMetrics } from './asserted-metrics.ts';

test('names the metrics of assertions with a score of their own, of the case and its turns', () => {
  const testCase = {
    id: 'a',
    input: 'x',
    assert: [
      { type: 'contains', value: 'x' },
      { type: 'contains', value: 'x', metric: 'named' },
      { type: 'any_of', value: [{ type: 'similar', value: 'x' }] },
      { type: 'all_of', value: [{ type: 'rouge', value: 'x' }], metric: 'both' },
      { type: 'levenshtein', value: 'x' },
      { type: 'select_best', value: 'short', use: 'agents:judge' },
    ],
    turns: [{ input: 'y', assert: { type: 'agent', value: 'is funny', metric: 'wit' } }],
    checkpoints: [{ id: 'c', assert: [{ type: 'agent', value: 'is polite' }] }],
  } as unknown as TestCase;
  expect([...assertedMetrics(testCase)]).toEqual(['named', 'both', 'levenshtein', 'wit']);
  expect([...assertedMetrics({ id: 'b', input: 'x' })]).toEqual([]);
});
