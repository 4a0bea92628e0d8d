// How often the cases of a run are executed: a test may say so for itself.

import type { StartEvent } from './event.ts';

type Runs = Pick<StartEvent, 'inputs' | 'runs_per_case'>;

/** Finds by its `test_id` how many attempts a case has. */
export function runsOf({ inputs, runs_per_case: usual }: Runs): (testId: string) => number {
  const own = new Map<string, number>();
  for (const { test_id: testId, runs } of inputs) {
    if (testId !== undefined && runs !== undefined) own.set(testId, runs);
  }
  return own.size === 0 ? () => usual : (testId) => own.get(testId) ?? usual;
}

/** The fewest and the most attempts that any case has. */
export function runsRange({ inputs, runs_per_case: usual }: Runs): { least: number; most: number } {
  let [least, most] = [inputs[0]?.runs ?? usual, inputs[0]?.runs ?? usual];
  for (const { runs = usual } of inputs) {
    least = Math.min(least, runs);
    most = Math.max(most, runs);
  }
  return { least, most };
}
