// The verdict on two runs of the same cases, and the number of runs that would settle an open one.

import type { ComparisonVerdict } from '../model/comparison.ts';
import { normalQuantile, tCdf, tQuantile } from './distributions.ts';
import { mean, variance } from './moments.ts';
import type { Difference, PairedCounts } from './paired-cases.ts';
import { difference, groupCases, isMeasuredTwice, isWithin, unseenReach } from './paired-cases.ts';
import type { CaseEvidence } from './regressed-cases.ts';
import { regressedCases } from './regressed-cases.ts';

/** Passes and measured runs of a case. */
export type Counts = { x: number; r: number };

export type RunComparison = Difference & {
  verdict: ComparisonVerdict;
  /** Positions of cases that surely regressed: at most alpha/2 is the chance that any of them is noise. */
  proven: number[];
  /** Positions of cases to call regressed: the proven ones, and others of which about one in ten is noise. */
  regressed: number[];
  /** The evidence for each case, in the order of the cases. */
  single: CaseEvidence[];
  /** Whether the comparison fails: worse, or a proven case. */
  fails: boolean;
  /** The standard deviation of the suite's rate between baseline runs beyond chance; only with five runs or more. */
  runSd?: number;
};

/** The number of separate baseline runs from which differences between whole runs are known. */
export const RUNS_FOR_RUN_EFFECT = 5;

/** The expected share of noise among the cases that are called regressed. */
const FALSE_SHARE = 0.1;

/**
 * Compares two runs. `alpha` is the chance of a false alarm if nothing changed: half for the suite, half for single cases.
 * `baseline[k][i]` has the counts of case i in the k-th separate run of the baseline, if it has several.
 */
export function compareRuns(
  cases: readonly PairedCounts[],
  {
    alpha = 0.05,
    margin = 0.05,
    baseline = [],
  }: { alpha?: number; margin?: number; baseline?: readonly (readonly Counts[])[] } = {},
): RunComparison {
  const overall = withRunEffect(difference(cases, { level: 1 - alpha }), cases, baseline, alpha);
  const single = regressedCases(cases);
  const isProven = ({ adjusted }: CaseEvidence): boolean => isWithin(adjusted, alpha / 2);
  const proven = positions(single, isProven);
  const hasAlarm = isWithin(overall.pWorse, alpha / 2) || proven.length > 0;
  // One failed run is not enough to name a case: it makes a suspect.
  const regressed = positions(
    single,
    (one, at) =>
      hasAlarm && (isProven(one) || ((cases[at]?.rb ?? 0) > 1 && isWithin(one.falseShare, FALSE_SHARE))),
  );
  const verdict = judgeDifference(overall, { alpha: alpha / 2, margin });
  return { ...overall, verdict, proven, regressed, single, fails: verdict === 'worse' || proven.length > 0 };
}

/** The verdict on a difference; `alpha` is the one-sided level. */
export function judgeDifference(
  { n, pWorse, pBetter, low }: Difference,
  { alpha, margin }: { alpha: number; margin: number },
): ComparisonVerdict {
  if (n === 0) return 'undecided';
  if (isWithin(pWorse, alpha)) return low > -margin ? 'slightly_worse' : 'worse';
  if (isWithin(pBetter, alpha)) return 'better';
  return low > -margin ? 'not_worse' : 'undecided';
}

function positions<T>(values: readonly T[], isSo: (value: T, at: number) => boolean): number[] {
  const found: number[] = [];
  for (const [at, value] of values.entries()) if (isSo(value, at)) found.push(at);
  return found;
}

/** Widens the interval and the p-values by what whole runs of the baseline differ by. */
function withRunEffect(
  overall: Difference,
  cases: readonly PairedCounts[],
  baseline: readonly (readonly Counts[])[],
  alpha: number,
): Difference & { runSd?: number } {
  if (overall.n === 0 || baseline.length < RUNS_FOR_RUN_EFFECT) return overall;
  const effect = runEffect(
    baseline,
    cases.map((one) => (isMeasuredTwice(one) ? { x: one.xb, r: one.rb } : { x: 0, r: 0 })),
  );
  const half = tQuantile(1 - alpha / 2, effect.df) * effect.se;
  const pWorse = Math.max(overall.pWorse, effect.pWorse);
  const pBetter = Math.max(overall.pBetter, effect.pBetter);
  const { delta } = overall;
  return {
    ...overall,
    pWorse,
    pBetter,
    pTwo: Math.min(1, 2 * Math.min(pWorse, pBetter)),
    low: Math.max(-1, Math.min(overall.low, delta - half, isWithin(pBetter, alpha / 2) ? 1 : 0)),
    high: Math.min(1, Math.max(overall.high, delta + half, isWithin(pWorse, alpha / 2) ? -1 : 0)),
    runSd: effect.tau,
  };
}

/** How a new run lies among earlier runs that may differ as a whole. */
export type RunEffect = {
  /** Standard deviation of a run's suite rate beyond the noise of its attempts. */
  tau: number;
  delta: number;
  se: number;
  t: number;
  df: number;
  pWorse: number;
  pBetter: number;
};

/**
 * Tests a new run against K earlier runs of one version, allowing for differences between whole runs (a provider's bad
 * hour). `runs[k][i]` and `after[i]` are counts of case i; r = 0 means not measured.
 */
export function runEffect(runs: readonly (readonly Counts[])[], after: readonly Counts[]): RunEffect {
  const used = after.flatMap(({ r }, at) => (r > 0 && runs.some((run) => (run[at]?.r ?? 0) > 0) ? [at] : []));
  const K = runs.length;
  const pooled = used.map((at) => pool(runs.map((run) => run[at] ?? { x: 0, r: 0 })));
  const usual = mean(pooled.map(({ rate }) => rate));
  // A case that a run did not measure is left out of that run's deviation from the usual rate.
  const against = (run: readonly Counts[]): { rate: number; noise: number } => {
    let sum = 0;
    let noise = 0;
    let count = 0;
    for (const [place, at] of used.entries()) {
      const { x, r } = run[at] ?? { x: 0, r: 0 };
      const { rate, spread } = pooled[place] ?? { rate: 0, spread: 0 };
      if (r === 0) continue;
      sum += x / r - rate;
      noise += spread / r;
      count += 1;
    }
    return count === 0 ? { rate: usual, noise: 0 } : { rate: usual + sum / count, noise: noise / count ** 2 };
  };
  const earlier = runs.map(against);
  const now = against(after);
  const rates = earlier.map(({ rate }) => rate);
  const noise = mean(earlier.map((one) => one.noise));
  const tauSquare = Math.max(0, variance(rates) - noise);
  const delta = now.rate - mean(rates);
  const between = tauSquare * (1 + 1 / K);
  const total = now.noise + noise / K + between;
  const free = between > 0 ? (total / between) ** 2 * (K - 1) : Infinity;
  const df = Math.min(1e6, Math.max(1, free));
  const t = delta === 0 ? 0 : delta / Math.sqrt(total);
  const pWorse = tCdf(t, df);
  return { tau: Math.sqrt(tauSquare), delta, se: Math.sqrt(total), t, df, pWorse, pBetter: 1 - pWorse };
}

/** A case's rate over all runs, and p(1 − p) without bias. */
function pool(counts: readonly Counts[]): { rate: number; spread: number } {
  let x = 0;
  let r = 0;
  for (const one of counts) {
    x += one.x;
    r += one.r;
  }
  return { rate: x / r, spread: r > 1 ? (x * (r - x)) / (r * (r - 1)) : 0 };
}

/** The number of runs that would decide: more of the new version, or runs of each in the end; nothing above the limit. */
export type MoreRuns = { after?: number; both?: number; noise: number; gap: number };

/** How many more runs would decide with chance `power`, if the difference is as it looks now. */
export function moreRuns(
  cases: readonly PairedCounts[],
  { margin = 0.05, alpha = 0.05, power = 0.8, limit = 100 } = {},
): MoreRuns {
  const { groups } = groupCases(cases.filter(isMeasuredTwice));
  const n = groups.reduce((sum, { count }) => sum + count, 0);
  let noise = 0;
  let delta = 0;
  for (const { xa, ra, xb, rb, count } of groups) {
    const passes = xa + xb;
    const runs = ra + rb;
    noise += (count * passes * (runs - passes)) / (runs * (runs - 1)) / n;
    delta += (count * (xb / rb - xa / ra)) / n;
  }
  const gap = Math.max(-delta, delta + margin);
  const z = normalQuantile(1 - alpha / 2);
  const zPower = normalQuantile(power);
  const decides = (spread: number, inverse: number): boolean =>
    unseenReach(spread, inverse, z) + zPower * Math.sqrt(spread) <= gap;
  const found: MoreRuns = { noise, gap };
  if (n === 0) return found;
  const after = firstUpTo(limit, (more) => {
    let spread = 0;
    let inverse = 0;
    for (const { ra, rb, count } of groups) {
      spread += (count * noise * (1 / ra + 1 / (rb + more))) / n ** 2;
      inverse += count / Math.min(ra, rb + more) / n ** 2;
    }
    return decides(spread, inverse);
  });
  const both = firstUpTo(limit, (runs) => decides((2 * noise) / (n * runs), 1 / (n * runs)));
  if (after !== undefined) found.after = after;
  if (both !== undefined) found.both = both;
  return found;
}

/** The smallest number from 1 to `limit` that is enough. */
function firstUpTo(limit: number, isEnough: (number: number) => boolean): number | undefined {
  for (let number = 1; number <= limit; number += 1) if (isEnough(number)) return number;
  return undefined;
}
