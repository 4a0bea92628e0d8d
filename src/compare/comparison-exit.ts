import type { Comparison } from '../model/comparison.ts';
import { EXIT } from '../model/exit-code.ts';

/** What makes a comparison fail besides a verdict of worse. */
export type FailOn = 'any-drop' | 'undecided';

/** 1 for a verdict of worse or a proven case, and for what the user wants to fail on; 3 if nothing could be compared. */
export function comparisonExit(comparison: Comparison, failOn: readonly FailOn[] = []): 0 | 1 | 3 {
  const { fails, verdict, counts, difference } = comparison;
  const isDrop = failOn.includes('any-drop') && counts.regressed > 0;
  const isOpen = failOn.includes('undecided') && verdict === 'undecided';
  if (fails || isDrop || (isOpen && difference !== null)) return EXIT.failed;
  return difference === null ? EXIT.unmeasured : EXIT.passed;
}
