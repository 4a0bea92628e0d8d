// Two sides in, the comparison out: how sure is it that the new one is worse, and which cases are.

import type { Counts, RunComparison } from '../stats/compare-runs.ts';
import { compareRuns, judgeDifference, moreRuns, RUNS_FOR_RUN_EFFECT } from '../stats/compare-runs.ts';
import { normalCdf } from '../stats/distributions.ts';
import { likeThese } from '../stats/models.ts';
import { mean } from '../stats/moments.ts';
import type { PairedCounts } from '../stats/paired-cases.ts';
import { difference, isWithin } from '../stats/paired-cases.ts';
import { compareCosts } from './compare-costs.ts';
import { compareScores } from './compare-scores.ts';
import { compareCases, sortCases } from './compare-cases.ts';
import type { Change, Comparison, ComparisonVerdict } from '../model/comparison.ts';
import { differenceNotes, scoreNotes } from './difference-notes.ts';
import type { MeasuredPair } from './pair-cases.ts';
import { isCompared, pairCases } from './pair-cases.ts';
import type { Side } from './side.ts';

export type CompareOptions = {
  /** The chance of a false alarm if nothing changed. */
  alpha?: number | undefined;
  /** A drop up to here is tolerable, in points. */
  margin?: number | undefined;
};

export const DEFAULT_ALPHA = 0.05;
export const DEFAULT_MARGIN = 5;

export function compareSides(
  before: Side,
  after: Side,
  { alpha = DEFAULT_ALPHA, margin = DEFAULT_MARGIN }: CompareOptions = {},
): Comparison {
  const pairs = pairCases(before, after);
  const compared = pairs.filter(isCompared);
  const noisy = compared.filter(({ ground }) => ground === undefined);
  const fixed = compared.filter(({ ground }) => ground !== undefined);

  const tested = testNoisy(noisy, before, { alpha, margin });
  const suite = addFixed(tested, fixed, { alpha, margin });
  const cases = compareCases(pairs, noisy, tested);
  const verdicts = countVerdicts(cases);
  const isExplained = isWithinRunDifferences(tested, noisy, alpha);
  const { metrics, oneSided } = compareScores({ before, after }, pairs, alpha);
  const isOpen = suite.verdict === 'undecided' && noisy.length > 0;
  return {
    verdict: suite.verdict,
    fails: suite.verdict === 'worse' || verdicts.proven > 0,
    margin,
    alpha,
    difference: compared.length === 0 ? null : toPoints(suite, compared, alpha),
    rates: compared.length === 0 ? null : meanRates(compared),
    baseline: {
      runs: before.runs.length,
      run_sd: tested.runSd === undefined ? null : points(tested.runSd),
    },
    // More runs at once do not average out what whole runs differ by.
    more_runs: isOpen && !isExplained ? toMoreRuns(noisy, { alpha, margin }) : null,
    within_run_differences: isExplained,
    counts: countChanges(pairs),
    verdicts,
    deterministic: fixed.length,
    ...compareCosts(compared, before.runs.length),
    ...(metrics.length > 0 && { metrics }),
    notes: [...differenceNotes(before, after, pairs), ...scoreNotes(oneSided)],
    runs: { before: before.runs, after: after.runs },
    cases: sortCases(cases),
  };
}

/** The counts of a pair, for statistics. */
function pairCounts({ before, after }: MeasuredPair): PairedCounts {
  return { xa: before.passed, ra: before.measured, xb: after.passed, rb: after.measured };
}

type Limits = { alpha: number; margin: number };

function testNoisy(noisy: readonly MeasuredPair[], before: Side, { alpha, margin }: Limits): RunComparison {
  const baseline = before.runs.length >= RUNS_FOR_RUN_EFFECT ? separateRuns(noisy, before.runs.length) : [];
  return compareRuns(noisy.map(pairCounts), { alpha, margin: margin / 100, baseline });
}

/** The counts of each case in each run before; a run that has none of the cases is left out. */
function separateRuns(noisy: readonly MeasuredPair[], runs: number): Counts[][] {
  const all = Array.from({ length: runs }, (_, at) =>
    noisy.map(({ before }): Counts => {
      const one = before.by_run?.[at];
      return { x: one?.passed ?? 0, r: one?.measured ?? 0 };
    }),
  );
  return all.filter((counts) => counts.some(({ r }) => r > 0));
}

type SuiteDifference = {
  verdict: ComparisonVerdict;
  delta: number;
  low: number;
  high: number;
  pWorse: number;
  pBetter: number;
};

/** Adds the cases without noise: they move the difference and its interval by what is known for sure. */
function addFixed(
  tested: RunComparison,
  fixed: readonly MeasuredPair[],
  { alpha, margin }: Limits,
): SuiteDifference {
  if (fixed.length === 0) return tested;
  const n = tested.n + fixed.length;
  const shift = fixed.reduce((sum, { before, after }) => sum + rateOf(after) - rateOf(before), 0) / n;
  if (tested.n === 0) return fixedOnly(fixed, shift);
  const share = tested.n / n;
  const delta = share * tested.delta + shift;
  const low = share * tested.low + shift;
  const high = share * tested.high + shift;
  const se = share * tested.se;
  const isMoved = shift !== 0;
  const pWorse = isMoved ? certainty(delta, se) : tested.pWorse;
  const pBetter = isMoved ? certainty(-delta, se) : tested.pBetter;
  const judged = { ...tested, n, delta, low, high, pWorse, pBetter };
  return { ...judged, verdict: judgeDifference(judged, { alpha: alpha / 2, margin: margin / 100 }) };
}

/** Without noise, one case that fails now is a regression, and there is no margin. */
function fixedOnly(fixed: readonly MeasuredPair[], delta: number): SuiteDifference {
  const has = (change: Change): boolean => fixed.some((pair) => pair.change === change);
  const verdict = has('regressed') ? 'worse' : has('improved') ? 'better' : 'not_worse';
  return { verdict, delta, low: delta, high: delta, pWorse: delta < 0 ? 0 : 1, pBetter: delta > 0 ? 0 : 1 };
}

function certainty(delta: number, se: number): number {
  if (se > 0) return normalCdf(delta / se);
  return delta === 0 ? 0.5 : delta < 0 ? 0 : 1;
}

function rateOf({ passed, measured }: { passed: number; measured: number }): number {
  return passed / measured;
}

function meanRates(compared: readonly MeasuredPair[]): { before: number; after: number } {
  return {
    before: points(mean(compared.map(({ before }) => rateOf(before)))),
    after: points(mean(compared.map(({ after }) => rateOf(after)))),
  };
}

function toPoints(
  { delta, low, high, pWorse, pBetter }: SuiteDifference,
  compared: readonly MeasuredPair[],
  alpha: number,
): Comparison['difference'] {
  const like = likeThese(compared.map(pairCounts), { level: 1 - alpha });
  return {
    value: points(delta),
    low: points(low),
    high: points(high),
    level: points(1 - alpha),
    p_worse: pWorse,
    p_better: pBetter,
    cases: compared.length,
    interval_like_these: [points(Math.max(-1, like.low)), points(Math.min(1, like.high))],
  };
}

function toMoreRuns(
  noisy: readonly MeasuredPair[],
  { alpha, margin }: Limits,
): { after: number | null; both: number | null } {
  const { after, both } = moreRuns(noisy.map(pairCounts), { alpha, margin: margin / 100 });
  return { after: after ?? null, both: both ?? null };
}

/** True if the cases alone show a drop, and only the differences between whole runs before make it no verdict. */
function isWithinRunDifferences(
  { runSd, pWorse }: RunComparison,
  noisy: readonly MeasuredPair[],
  alpha: number,
): boolean {
  if (runSd === undefined || isWithin(pWorse, alpha / 2)) return false;
  return isWithin(difference(noisy.map(pairCounts), { level: 1 - alpha }).pWorse, alpha / 2);
}

function countChanges(pairs: readonly { change: Change }[]): Record<Change, number> {
  const counts = { changed: 0, improved: 0, new: 0, regressed: 0, removed: 0, unchanged: 0, unmeasured: 0 };
  for (const { change } of pairs) counts[change] += 1;
  return counts;
}

function countVerdicts(cases: Comparison['cases']): Comparison['verdicts'] {
  const counts = { improved: 0, proven: 0, regressed: 0, suspect: 0, unproven: 0 };
  for (const { verdict, proven } of cases) {
    if (verdict !== null) counts[verdict] += 1;
    if (proven) counts.proven += 1;
  }
  return counts;
}

/** Shares as percent, without the tails of binary fractions. */
function points(share: number): number {
  return Math.round(share * 1e8) / 1e6;
}
