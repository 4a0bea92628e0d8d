import { expect, test } from 'vitest';
import type { RunEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent } from '../../test/fixtures/logs/agent-log.ts';
import { RunData } from './run-data.ts';
import { computeScores } from './scores.ts';

function loaded(events: RunEvent[]): RunData {
  const data = new RunData();
  data.addEvents(events);
  data.settle();
  return data;
}

test('the mean of each metric, and the cases by their score', () => {
  const scored = (id: string, score: number, run = 1): RunEvent =>
    resultEvent(id, {
      key: `${id}${String(run)}`,
      run,
      verdicts: [{ type: 'agent', metric: 'tone', status: 'passed', score }],
    });
  const data = loaded([
    startEvent({ runs_per_case: 2, total_cases: 3 }),
    scored('a', 0),
    scored('a', 0.6, 2),
    scored('b', 1),
    scored('b', 1, 2),
    resultEvent('c', { status: 'timeout' }),
  ]);
  expect(computeScores(data)).toEqual([
    {
      metric: 'tone',
      mean: 0.65,
      interval: expect.any(Object) as object,
      cases: 2,
      min: 0.3,
      max: 1,
      bins: [0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
    },
  ]);
});

test('a run without scores has no metrics', () => {
  expect(computeScores(loaded([startEvent(), resultEvent('a')]))).toEqual([]);
});
