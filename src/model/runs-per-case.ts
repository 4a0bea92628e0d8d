// The number of attempts per case: a test may override the default of the run, and a resumed run may have more.

import type { ResumeEvent, StartEvent } from './event.ts';

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

/** The start of a run that was resumed with `runs` runs of every case; the same one if it has as many already. */
export function withRuns(start: StartEvent, runs: number | undefined): StartEvent {
  if (runs === undefined || runs <= runsRange(start).most) return start;
  const inputs = start.inputs.map((input) => {
    const { runs: _own, ...rest } = input;
    return rest;
  });
  return { ...start, runs_per_case: runs, inputs, flags: { ...start.flags, runs } };
}

/** The larger number of runs: the one known so far, or that of a `resume` event. */
export function largerRuns(
  known: number | undefined,
  { runs }: Pick<ResumeEvent, 'runs'>,
): number | undefined {
  return runs === undefined || (known !== undefined && known >= runs) ? known : runs;
}
