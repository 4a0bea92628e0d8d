// The number of attempts per case: a test may override the default of the run.

import type { StartEvent } from './event.ts';

type Runs = Pick<StartEvent, 'inputs' | 'runs_per_case'>;

/** Returns a function that maps a `test_id` to the number of attempts of its cases. */
export function runsByTest({ inputs, runs_per_case: usual }: Runs): (testId: string) => number {
  const own = new Map<string, number>();
  for (const { test_id: testId, runs } of inputs) {
    if (testId !== undefined && runs !== undefined) own.set(testId, runs);
  }
  return own.size === 0 ? () => usual : (testId) => own.get(testId) ?? usual;
}

/** The smallest and the largest number of attempts per case. */
export function runsRange({ inputs, runs_per_case: usual }: Runs): { least: number; most: number } {
  let [least, most] = [inputs[0]?.runs ?? usual, inputs[0]?.runs ?? usual];
  for (const { runs = usual } of inputs) {
    least = Math.min(least, runs);
    most = Math.max(most, runs);
  }
  return { least, most };
}
