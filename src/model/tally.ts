// Counts cases while their runs arrive, in any order; keeps only unsettled cases in memory.

import { createAutoTally } from './auto-tally.ts';
import type { Summary } from './event.ts';
import type { AutoSettling, CaseEnd, Counted, RunCounts } from './settle.ts';
import type { MetricFold } from './scores.ts';
import type { Checks } from './skill.ts';
import type { Spending } from './spending.ts';
import { addSpending } from './spending.ts';
import { cannotPass, countRun, noRuns, settleCounts } from './settle.ts';

export type Tally = {
  /**
   * Counts one outcome; returns the end of the case once it is settled. `ofRuns` is the number of runs of the case, if it
   * differs from the default; `times` is the number of runs that ended so; `group` names the related cases. Outcomes of a case of
   * `--runs auto` come in the order of its runs.
   */
  add(
    caseKey: string,
    outcome: Counted,
    ofRuns?: number,
    times?: number,
    group?: string,
  ): { end: CaseEnd; complete: boolean } | undefined;
  summary(durationMs: number): Summary;
  /** The number of measured cases, the sum of their pass rates (0 to 1), and the sum of the squares. */
  rates(): { count: number; sum: number; squares: number };
  /** The number of failed cases, and of cases that could not be measured. */
  failures(): { failures: number; unmeasured: number };
};

type TallyOptions = {
  runs: number;
  minPassRate?: number | undefined;
  /** For cases without a number of runs of their own. */
  auto?: AutoSettling | undefined;
  /** Averages scores; without it nothing is known of them. */
  metrics?: MetricFold | undefined;
};

/** Counts a run with `runs` attempts per case. */
export function createTally({ runs, minPassRate, auto, metrics }: TallyOptions): Tally {
  const open = new Map<string, { seen: number; counts: RunCounts }>();
  const counts = noCases();
  let totalRuns = 0;
  let spent: Spending = {};
  let checks: Checks | undefined;
  const autoTally = auto && createAutoTally(auto);

  const settle = (caseKey: string, end: CaseEnd, group: string | undefined) => {
    countCase(counts, end);
    metrics?.end(caseKey, group);
    return { end, complete: true };
  };

  return {
    add(caseKey, outcome, ofRuns, times = 1, group) {
      if (outcome.status !== 'skipped') totalRuns += times;
      spent = withSpending(spent, outcome);
      if (outcome.checks !== undefined) checks = addChecks(checks, outcome.checks);
      if (outcome.verdicts !== undefined) metrics?.add(caseKey, outcome);
      if (autoTally !== undefined && ofRuns === undefined) {
        const end = autoTally.add(caseKey, outcome);
        return end && settle(caseKey, end, group);
      }
      if (outcome.uncounted !== undefined) return undefined;
      const known = open.get(caseKey) ?? { seen: 0, counts: noRuns() };
      countRun(known.counts, outcome, times);
      known.seen += times;
      const remaining = (ofRuns ?? runs) - known.seen;
      if (remaining > 0) {
        open.set(caseKey, known);
        if (!cannotPass(known.counts, remaining, minPassRate)) return undefined;
        return { end: settleCounts(known.counts, minPassRate), complete: false };
      }
      open.delete(caseKey);
      return settle(caseKey, settleCounts(known.counts, minPassRate), group);
    },
    summary(durationMs) {
      const ran = counts.passed + counts.failed;
      return {
        ...endCounts(counts),
        duration_ms: Math.round(durationMs),
        total_runs: totalRuns,
        runs_per_case: runs,
        overall_pass_rate: counts.rated === 0 ? null : Math.round((10 * counts.rateSum) / counts.rated) / 10,
        stable_cases: counts.stable,
        unstable_cases: ran - counts.stable,
        ...metrics?.result(),
        ...(checks !== undefined && { checks }),
        ...spent,
        ...(autoTally !== undefined && { auto: autoTally.counts() }),
      };
    },
    rates: () => ({ count: counts.rated, sum: counts.rateSum / 100, squares: counts.rateSquares / 10_000 }),
    failures: () => ({ failures: counts.failed - counts.unmeasured, unmeasured: counts.unmeasured }),
  };
}

/** `rateSum` is the sum of the pass rates of the `rated` cases, `rateSquares` that of their squares. */
function noCases() {
  return {
    total: 0,
    passed: 0,
    failed: 0,
    skipped: 0,
    errors: 0,
    timeouts: 0,
    stable: 0,
    unmeasured: 0,
    rateSum: 0,
    rateSquares: 0,
    rated: 0,
  };
}

function endCounts({
  total,
  passed,
  failed,
  skipped,
  errors,
  timeouts,
  unmeasured,
}: ReturnType<typeof noCases>) {
  return { total, passed, failed, skipped, errors, timeouts, ...(unmeasured > 0 && { unmeasured }) };
}

function countCase(counts: ReturnType<typeof noCases>, end: CaseEnd): void {
  counts.total += 1;
  if (end.status === 'skipped') counts.skipped += 1;
  else if (end.status === 'passed') counts.passed += 1;
  else counts.failed += 1;
  if (end.status === 'error') counts.errors += 1;
  if (end.status === 'timeout') counts.timeouts += 1;
  if (end.unmeasured) counts.unmeasured += 1;
  if (end.stable) counts.stable += 1;
  // A case that a stop left without some of its runs has the rate of those it had: leaving it out would keep only failures.
  if (end.pass_rate === null) return;
  counts.rateSum += end.pass_rate;
  counts.rateSquares += end.pass_rate * end.pass_rate;
  counts.rated += 1;
}

function addChecks(sum: Checks | undefined, checks: Checks): Checks {
  const skipped = (sum?.skipped ?? 0) + (checks.skipped ?? 0);
  return {
    passed: (sum?.passed ?? 0) + checks.passed,
    failed: (sum?.failed ?? 0) + checks.failed,
    ...(skipped > 0 && { skipped }),
  };
}

/** Allocates nothing for attempts without spending, which are most of a million. */
function withSpending(spent: Spending, outcome: Counted): Spending {
  const { usage, cost_usd, simulation, verdicts } = outcome;
  let sum = usage === undefined && cost_usd === undefined ? spent : addSpending(spent, outcome);
  if (simulation !== undefined) sum = addSpending(sum, simulation);
  if (verdicts === undefined) return sum;
  for (const verdict of verdicts) {
    if (verdict.usage !== undefined || verdict.cost_usd !== undefined) sum = addSpending(sum, verdict);
  }
  return sum;
}
