// How much slower or dearer: ratios of positive values, after over before.

import { normalQuantile, tQuantile } from './distributions.ts';
import { mean, variance } from './moments.ts';
import { percentile } from './percentile.ts';
import type { Interval } from './rates.ts';

/** A typical ratio with its interval. */
export type Ratio = Interval & { ratio: number };

/**
 * The typical ratio of cases (Hodges and Lehmann, on logarithms) with the limits of the signed-rank test; nothing for
 * fewer than six cases.
 */
export function ratioOf(
  ratios: readonly number[],
  { level = 0.95 }: { level?: number } = {},
): Ratio | undefined {
  const count = ratios.length;
  if (count < 6) return undefined;
  const logs = Float64Array.from(ratios, Math.log).sort();
  const pairs = (count * (count + 1)) / 2;
  const z = normalQuantile(0.5 + level / 2);
  const spread = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 24);
  const cut = Math.max(0, Math.floor(pairs / 2 - z * spread));
  const half = Math.floor(pairs / 2);
  const upper = pairMean(logs, half);
  const middle = pairs % 2 === 1 ? upper : (pairMean(logs, half - 1) + upper) / 2;
  return {
    ratio: Math.exp(middle),
    low: Math.exp(pairMean(logs, cut)),
    high: Math.exp(pairMean(logs, pairs - 1 - cut)),
  };
}

/** The mean of two values (or of one with itself) at place `rank` among all such means, smallest first. */
function pairMean(sorted: Float64Array, rank: number): number {
  let low = sorted[0] ?? 0;
  let high = sorted.at(-1) ?? 0;
  if (pairsUpTo(sorted, low) > rank) return low;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return high;
    if (pairsUpTo(sorted, middle) > rank) high = middle;
    else low = middle;
  }
}

/** The number of pairs whose mean is at most `limit`. */
function pairsUpTo(sorted: Float64Array, limit: number): number {
  let pairs = 0;
  let end = sorted.length - 1;
  for (let start = 0; start <= end; start += 1) {
    while (end >= start && ((sorted[start] ?? 0) + (sorted[end] ?? 0)) / 2 > limit) end -= 1;
    pairs += Math.max(0, end - start + 1);
  }
  return pairs;
}

/** The number of earlier runs from which a slow hour can be told from a slow version. */
const RUNS_FOR_CERTAINTY = 5;

/**
 * The ratio of a new run to earlier runs of one version: `runs[k][i]` and `after[i]` are values of case i. Differences
 * between whole runs widen the interval. With fewer than five runs `isSure` is false, and nothing may fail because of it.
 */
export function ratioAgainstRuns(
  runs: readonly (readonly number[])[],
  after: readonly number[],
  { level = 0.95 }: { level?: number } = {},
): (Ratio & { isSure: boolean }) | undefined {
  const against = (run: readonly number[], others: readonly (readonly number[])[]): Ratio | undefined =>
    ratioOf(
      run.map((value, at) => value / median(others.map((other) => other[at] ?? Number.NaN))),
      { level },
    );
  const now = against(after, runs);
  if (now === undefined) return undefined;
  const K = runs.length;
  if (K < RUNS_FOR_CERTAINTY) return { ...now, isSure: false };
  const levels = runs.map((run, k) => Math.log(against(run, runs.toSpliced(k, 1))?.ratio ?? 1));
  const centre = mean(levels);
  const half = tQuantile(0.5 + level / 2, K - 1) * Math.sqrt(variance(levels) * (1 + 1 / K));
  const own = Math.log(now.ratio) - centre;
  return {
    ratio: Math.exp(own),
    low: Math.exp(Math.min(Math.log(now.low) - centre, own - half)),
    high: Math.exp(Math.max(Math.log(now.high) - centre, own + half)),
    isSure: true,
  };
}

/** The median of the values. */
export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
