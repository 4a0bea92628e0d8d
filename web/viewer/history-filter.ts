// Filters for the cases of a test's history.

import type { HistoryCase } from './answers.ts';

/** From this number of changes on, a case counts as flaky. */
const FLAKY_FLIPS = 2;

export const SHOWN = ['all', 'flaky', 'failing'] as const;
export type ShownCases = (typeof SHOWN)[number];

export function isFlaky({ flips }: HistoryCase): boolean {
  return flips >= FLAKY_FLIPS;
}

/** True if the case did not pass in its latest run. */
export function isFailing({ statuses }: HistoryCase): boolean {
  const last = statuses.find((status) => status !== null && status !== 'skipped');
  return last !== undefined && last !== null && last !== 'passed';
}

export function shownCases(cases: readonly HistoryCase[], shown: ShownCases): readonly HistoryCase[] {
  switch (shown) {
    case 'all':
      return cases;
    case 'flaky':
      return cases.filter(isFlaky);
    case 'failing':
      return cases.filter(isFailing);
  }
}
