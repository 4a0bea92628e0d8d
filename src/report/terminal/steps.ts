// The unit in which the progress of a run is counted.

import type { StartEvent } from '../../model/event.ts';
import { runsByTest, runsRange } from '../../model/runs-per-case.ts';

/**
 * Counts attempts; or cases, if tests have different numbers of runs, because the total number of attempts is unknown then. With
 * `--runs auto` only cases that have ended count.
 */
export type Steps = {
  total: number;
  /** The steps of one attempt of a test. */
  of(testId: string): number;
  /** The minimum number of steps of `count` attempts. */
  ofAttempts(count: number): number;
  /** The steps of a case that ends. */
  ofCase: number;
};

export function progressSteps(
  start: Pick<StartEvent, 'inputs' | 'runs_per_case' | 'runs_rule' | 'total_cases'>,
): Steps {
  if (start.runs_rule !== undefined)
    return { total: start.total_cases, of: () => 0, ofAttempts: () => 0, ofCase: 1 };
  const { least, most } = runsRange(start);
  if (least === most) {
    const total = start.total_cases * Math.max(1, most);
    return { total, of: () => 1, ofAttempts: (count) => count, ofCase: 0 };
  }
  const runsOfTest = runsByTest(start);
  return {
    total: start.total_cases,
    of: (testId) => 1 / Math.max(1, runsOfTest(testId)),
    ofAttempts: (count) => count / most,
    ofCase: 0,
  };
}
