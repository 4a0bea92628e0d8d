// Counts cases while their runs come in, in any order; holds only the cases that are still open.

import type { Summary } from './event.ts';
import type { CaseEnd, Counted } from './settle.ts';
import { cannotPass, settleCase } from './settle.ts';

export type Tally = {
  /** Counts one outcome; gives the end of the case once it is known that it is settled. */
  add(caseKey: string, outcome: Counted): { end: CaseEnd; complete: boolean } | undefined;
  summary(durationMs: number): Summary;
  /** Cases proven wrong, and cases that are nobody's proven fault. */
  failures(): { failures: number; unmeasured: number };
};

/** Counts a run of `runs` attempts a case. */
export function createTally({
  runs,
  minPassRate,
}: {
  runs: number;
  minPassRate?: number | undefined;
}): Tally {
  const open = new Map<string, Counted[]>();
  const counts = {
    total: 0,
    passed: 0,
    failed: 0,
    skipped: 0,
    errors: 0,
    timeouts: 0,
    stable: 0,
    unmeasured: 0,
  };
  let totalRuns = 0;
  let rateSum = 0;
  let rated = 0;

  function close(end: CaseEnd): void {
    counts.total += 1;
    if (end.status === 'skipped') counts.skipped += 1;
    else if (end.status === 'passed') counts.passed += 1;
    else counts.failed += 1;
    if (end.status === 'error') counts.errors += 1;
    if (end.status === 'timeout') counts.timeouts += 1;
    if (end.unmeasured) counts.unmeasured += 1;
    if (end.stable) counts.stable += 1;
    if (end.pass_rate === null) return;
    rateSum += end.pass_rate;
    rated += 1;
  }

  return {
    add(caseKey, outcome) {
      if (outcome.status !== 'skipped') totalRuns += 1;
      const seen = open.get(caseKey) ?? [];
      seen.push(outcome);
      if (seen.length < runs) {
        open.set(caseKey, seen);
        if (!cannotPass(seen, runs - seen.length, minPassRate)) return undefined;
        return { end: settleCase(seen, minPassRate), complete: false };
      }
      open.delete(caseKey);
      const end = settleCase(seen, minPassRate);
      close(end);
      return { end, complete: true };
    },
    summary(durationMs) {
      const ran = counts.passed + counts.failed;
      return {
        total: counts.total,
        passed: counts.passed,
        failed: counts.failed,
        skipped: counts.skipped,
        errors: counts.errors,
        timeouts: counts.timeouts,
        duration_ms: Math.round(durationMs),
        total_runs: totalRuns,
        runs_per_case: runs,
        overall_pass_rate: rated === 0 ? null : Math.round((10 * rateSum) / rated) / 10,
        stable_cases: counts.stable,
        unstable_cases: ran - counts.stable,
      };
    },
    failures: () => ({ failures: counts.failed - counts.unmeasured, unmeasured: counts.unmeasured }),
  };
}
