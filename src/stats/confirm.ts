// Fresh runs of cases that failed once: which cases are worth them, and what they prove.

import type { CaseTest, PairedCounts } from './paired-cases.ts';
import { caseTest, isWithin } from './paired-cases.ts';
import { stepDown } from './regressed-cases.ts';

/** A case that failed in the new run: its baseline, and its fresh runs if it was run again. */
export type ConfirmedCounts = { xa: number; ra: number; xb?: number; rb?: number };

/** Whether `k` fresh failures of a case with this baseline would prove anything. */
export function worthConfirming(
  { xa, ra }: Pick<PairedCounts, 'xa' | 'ra'>,
  k: number,
  level = 0.025,
): boolean {
  return isWithin(caseTest({ xa, ra, xb: 0, rb: k }).p, level);
}

/**
 * Adjusted p-values of all cases that failed, from `k` fresh runs alone. A case that was not run again counts with every
 * level that its fresh runs could have reached, because it was a candidate too.
 */
export function confirmedCases(failed: readonly ConfirmedCounts[], k: number): number[] {
  const tests = failed.map(({ xa, ra, xb, rb }) => ({
    ...(xb === undefined || rb === undefined ? possibleTest(xa, ra, k) : caseTest({ xa, ra, xb, rb })),
    count: 1,
  }));
  return stepDown(tests);
}

function possibleTest(xa: number, ra: number, k: number): CaseTest {
  const levels = new Set<number>();
  for (let passes = xa; passes <= xa + k; passes += 1) {
    if (passes === 0 || passes === ra + k) continue;
    for (const level of caseTest({ xa, ra, xb: passes - xa, rb: k }).levels) levels.add(level);
  }
  return { p: 1, levels: [...levels].sort((a, b) => a - b) };
}
