// The unit in which the progress of a run is counted.

import type { StartEvent } from '../../model/event.ts';
import { runsByTest, runsRange } from '../../model/runs-per-case.ts';

/** Counts attempts; or cases, if tests have different numbers of runs, because the total number of attempts is unknown then. */
export type Steps = {
  total: number;
  /** The steps of one attempt of a test. */
  of(testId: string): number;
  /** The minimum number of steps of `count` attempts. */
  ofAttempts(count: number): number;
};

export function progressSteps(start: Pick<StartEvent, 'inputs' | 'runs_per_case' | 'total_cases'>): Steps {
  const { least, most } = runsRange(start);
  if (least === most) {
    const total = start.total_cases * Math.max(1, most);
    return { total, of: () => 1, ofAttempts: (count) => count };
  }
  const runsOfTest = runsByTest(start);
  return {
    total: start.total_cases,
    of: (testId) => 1 / Math.max(1, runsOfTest(testId)),
    ofAttempts: (count) => count / most,
  };
}
