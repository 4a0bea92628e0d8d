// Decides the status of a case from the outcomes of its runs.

import type { ErrorCode, SkipReason, Status } from './outcome.ts';
import type { Scored } from './scores.ts';
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
  /** Why it does not count for its case. */
  uncounted?: 'confirm' | 'decided';
} & Spending & {
    verdicts?: readonly (Spending & Scored)[];
    simulation?: Spending;
  };

/** The number of runs per status; `error` counts errors of the agent, `unmeasured` all other errors. */
export type RunCounts = Record<Status | 'unmeasured', number>;

/** How a case ended; `unmeasured` marks an error that is not the agent's, `undecided` a case that `--runs auto` could not decide. */
export type CaseEnd = {
  status: Status;
  unmeasured: boolean;
  pass_rate: number | null;
  stable: boolean;
  undecided?: true;
};

/** The rule of `--runs auto`, ready to settle cases. */
export type AutoSettling = {
  max: number;
  undecided: 'fail' | 'pass';
  /** The answer after `runs` measured runs; undefined: go on. */
  decide(passes: number, runs: number): 'fail' | 'pass' | undefined;
  /** The pass rate (0 to 1) of a case that ended so: passes/runs would depend on when it stopped. */
  rate(passes: number, runs: number): number;
};

/** When a case has passed: all runs, at least this percentage of them, or as `--runs auto` decides. */
export type PassRule = number | AutoSettling | undefined;

const SEVERITY = ['failed', 'timeout', 'error'] as const;

/**
 * Settles one case. It passes if all runs pass, or at least a minimum percentage of them; a run that could not be
 * measured counts as not passed. If `missing` or skipped runs could still have made it pass, it is skipped.
 */
export function settleCase(runs: readonly Counted[], rule?: PassRule, missing = 0): CaseEnd {
  const counts = noRuns();
  for (const run of runs) countRun(counts, run);
  counts.skipped += missing;
  return settleCounts(counts, rule);
}

/** The counts of a case without runs. */
export function noRuns(): RunCounts {
  return { passed: 0, failed: 0, timeout: 0, error: 0, unmeasured: 0, skipped: 0 };
}

/** Counts a run, or several that ended alike, if they count. Those that a decided run did not need are not missing. */
export function countRun(counts: RunCounts, run: Counted, times = 1): void {
  if (run.uncounted !== undefined || run.reason === 'decided') return;
  counts[run.status === 'error' && !isMeasured(run) ? 'unmeasured' : run.status] += times;
}

/** The end of a case with these runs: what was judged while the run was on follows from the counts alone. */
export function settleCounts(counts: RunCounts, rule?: PassRule): CaseEnd {
  return typeof rule === 'object' ? settleAuto(counts, rule) : settleRuns(counts, rule);
}

/** True if a case of `--runs auto` needs no more runs: it is decided, had all runs, was skipped, or cannot be measured. */
export function isSettled(counts: RunCounts, { decide, max }: AutoSettling): boolean {
  const { passed, skipped, unmeasured } = counts;
  const measured = measuredRuns(counts);
  return measured >= max || unmeasured >= max || skipped > 0 || decide(passed, measured) !== undefined;
}

function settleAuto(counts: RunCounts, { decide, max, rate, undecided }: AutoSettling): CaseEnd {
  const { passed, skipped, unmeasured } = counts;
  const measured = measuredRuns(counts);
  const answer = decide(passed, measured);
  const isOver = answer !== undefined || measured >= max;
  const share = isOver ? rate(passed, measured) : passed / measured;
  const end: CaseEnd = {
    status: 'skipped',
    unmeasured: false,
    pass_rate: measured === 0 ? null : 100 * share,
    stable: skipped === 0 && measured > 0 && passed === measured + unmeasured,
  };
  if (answer === 'pass') return { ...end, status: 'passed' };
  if (answer === 'fail') return { ...end, status: worstOf(counts) };
  if (isOver) return { ...end, status: undecided === 'pass' ? 'passed' : worstOf(counts), undecided: true };
  return unmeasured >= max ? { ...end, status: 'error', unmeasured: true } : end;
}

function measuredRuns({ passed, failed, timeout, error }: RunCounts): number {
  return passed + failed + timeout + error;
}

function worstOf(counts: RunCounts): Status {
  return SEVERITY.find((status) => counts[status] > 0) ?? 'failed';
}

function settleRuns(counts: RunCounts, minPassRate: number | undefined): CaseEnd {
  const { passed, skipped } = counts;
  const measured = measuredRuns(counts);
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
