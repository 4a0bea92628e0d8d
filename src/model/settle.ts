// Decides the status of a case from the outcomes of its runs.

import type { ErrorCode, SkipReason, Status } from './outcome.ts';
import type { Checks } from './skill.ts';
import type { Spending } from './spending.ts';
import { isMeasured } from './outcome.ts';

/** The fields of an outcome that are needed for counting. */
export type Counted = {
  status: Status;
  code?: ErrorCode;
  reason?: SkipReason;
  checks?: Checks;
  duration_ms?: number;
} & Spending & {
    verdicts?: readonly Spending[];
    simulation?: Spending;
  };

/** The number of runs per status; `error` counts errors of the agent, `unmeasured` all other errors. */
export type RunCounts = Record<Status | 'unmeasured', number>;

/** How a case ended; `unmeasured` marks an error that is not the agent's. */
export type CaseEnd = { status: Status; unmeasured: boolean; pass_rate: number | null; stable: boolean };

const SEVERITY = ['failed', 'timeout', 'error'] as const;

/**
 * Settles one case. It passes if all runs pass, or at least `minPassRate` percent of them; a run that could not be
 * measured counts as not passed. If `missing` or skipped runs could still have made it pass, it is skipped.
 */
export function settleCase(runs: readonly Counted[], minPassRate?: number, missing = 0): CaseEnd {
  const counts = noRuns();
  for (const run of runs) countRun(counts, run);
  counts.skipped += missing;
  return settleCounts(counts, minPassRate);
}

/** The counts of a case without runs. */
export function noRuns(): RunCounts {
  return { passed: 0, failed: 0, timeout: 0, error: 0, unmeasured: 0, skipped: 0 };
}

/** Counts a run. Those that a decided run did not need are not missing. */
export function countRun(counts: RunCounts, run: Counted): void {
  if (run.reason === 'decided') return;
  counts[run.status === 'error' && !isMeasured(run) ? 'unmeasured' : run.status] += 1;
}

/** The end of a case with these runs. */
export function settleCounts(counts: RunCounts, minPassRate?: number): CaseEnd {
  const { passed, skipped } = counts;
  const measured = passed + counts.failed + counts.timeout + counts.error;
  const ran = measured + counts.unmeasured;
  const pass_rate = measured === 0 ? null : (100 * passed) / measured;
  const stable = skipped === 0 && ran > 0 && passed === ran;
  const end = (status: Status, unmeasured = false): CaseEnd => ({ status, unmeasured, pass_rate, stable });

  if (ran === 0) return end('skipped');
  if (skipped > 0 && !cannotPass(counts, 0, minPassRate)) return end('skipped');
  if (skipped === 0 && isEnough(passed, ran, minPassRate)) return end('passed');
  const worst = SEVERITY.find((status) => counts[status] > 0);
  return worst === undefined ? end('error', true) : end(worst);
}

/** True if the case cannot pass any more, even if all `remaining` and skipped runs passed. */
export function cannotPass(counts: RunCounts, remaining: number, minPassRate?: number): boolean {
  const best = counts.passed + counts.skipped + remaining;
  const lost = counts.failed + counts.timeout + counts.error + counts.unmeasured;
  return !isEnough(best, best + lost, minPassRate);
}

function isEnough(passed: number, ran: number, minPassRate: number | undefined): boolean {
  if (passed === 0) return false;
  return passed === ran || (minPassRate !== undefined && (100 * passed) / ran >= minPassRate);
}
