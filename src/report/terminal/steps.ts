// What the progress of a run is counted in.

import type { StartEvent } from '../../model/event.ts';
import { runsOf, runsRange } from '../../model/runs-of.ts';

/** Attempts; or cases, if tests differ in how many attempts their cases have, because nobody knows how many that will be. */
export type Steps = {
  total: number;
  /** What one attempt of a case is. */
  of(testId: string): number;
  /** What so many attempts are, at least. */
  ofAttempts(count: number): number;
};

export function stepsOf(start: Pick<StartEvent, 'inputs' | 'runs_per_case' | 'total_cases'>): Steps {
  const { least, most } = runsRange(start);
  if (least === most) {
    const total = start.total_cases * Math.max(1, most);
    return { total, of: () => 1, ofAttempts: (count) => count };
  }
  const runsOfTest = runsOf(start);
  return {
    total: start.total_cases,
    of: (testId) => 1 / Math.max(1, runsOfTest(testId)),
    ofAttempts: (count) => count / most,
  };
}
