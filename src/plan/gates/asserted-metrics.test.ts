import { expect, test } from 'vitest';
import type { TestCase } from '../../model/case.ts';
import { assertedMetrics } from './asserted-metrics.ts';

test('names the metrics of all assertions: of the case, its turns and checkpoints, and inside others', () => {
  const testCase = {
    id: 'a',
    input: 'x',
    assert: [
      { type: 'contains', value: 'x' },
      { type: 'any', assert: [{ type: 'similar' }, { type: 'agent', metric: 'tone' }] },
    ],
    turns: [{ input: 'y', assert: { type: 'agent', metric: 'wit' } }],
    checkpoints: [{ id: 'c', assert: [{ type: 'agent' }] }],
  } as unknown as TestCase;
  expect([...assertedMetrics(testCase)]).toEqual(['contains', 'any', 'similar', 'tone', 'wit', 'agent']);
  expect([...assertedMetrics({ id: 'b', input: 'x' })]).toEqual([]);
});
