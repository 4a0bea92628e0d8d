// Which cases of a test are worth a look.

import type { HistoryCase } from './answers.ts';

/** So many changes are no accident. */
const FLAKY_FLIPS = 2;

export const SHOWN = ['all', 'flaky', 'failing'] as const;
export type ShownCases = (typeof SHOWN)[number];

export function isFlaky({ flips }: HistoryCase): boolean {
  return flips >= FLAKY_FLIPS;
}

/** It did not pass when it was last run. */
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
