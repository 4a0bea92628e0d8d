// Rates of cases and suites, with their intervals. Shares from 0 to 1, except where a function says percent.

import { Z95, betaQuantile, logChoose, normalQuantile, tQuantile } from './distributions.ts';
import { mean } from './moments.ts';

/** The two ends of an interval. */
export type Interval = { low: number; high: number };

/**
 * Wilson's score interval of `passed` out of `count`; both may be fractions.
 * @example wilson(9, 10) // { low: 0.596, high: 0.982 }
 */
export function wilson(passed: number, count: number, z = Z95): Interval {
  const rate = passed / count;
  const square = z * z;
  const centre = rate + square / (2 * count);
  const scale = 1 + square / count;
  const half = z * Math.sqrt((rate * (1 - rate)) / count + square / (4 * count * count));
  return {
    low: passed <= 0 ? 0 : Math.max(0, (centre - half) / scale),
    high: passed >= count ? 1 : Math.min(1, (centre + half) / scale),
  };
}

/**
 * Wilson's 95 % interval of the rate of one case, in percent and rounded for display.
 * @example wilsonInterval(9, 10) // { low: 59.6, high: 98.2 }
 */
export function wilsonInterval(passed: number, count: number): Interval | undefined {
  if (count <= 0) return undefined;
  const { low, high } = wilson(passed, count);
  return { low: roundedPercent(low), high: roundedPercent(high) };
}

function roundedPercent(share: number): number {
  return Math.round(1000 * share) / 10;
}

/** The exact interval of Clopper and Pearson: it covers the true rate at least as often as `level` says. */
export function clopperPearson(passed: number, count: number, level = 0.95): Interval {
  const tail = (1 - level) / 2;
  return {
    low: passed === 0 ? 0 : betaQuantile(tail, passed, count - passed + 1),
    high: passed === count ? 1 : betaQuantile(1 - tail, passed + 1, count - passed),
  };
}

/** Jeffreys' interval. */
export function jeffreys(passed: number, count: number, level = 0.95): Interval {
  const tail = (1 - level) / 2;
  const failed = count - passed;
  return {
    low: passed === 0 ? 0 : betaQuantile(tail, passed + 0.5, failed + 0.5),
    high: failed === 0 ? 1 : betaQuantile(1 - tail, passed + 0.5, failed + 0.5),
  };
}

/** pass@k: the chance that at least one of k runs passes, without bias; nothing if fewer than k runs were measured. */
export function passAtK(passed: number, count: number, k: number): number | undefined {
  return count < k ? undefined : 1 - Math.exp(logChoose(count - passed, k) - logChoose(count, k));
}

/** pass^k: the chance that all of k runs pass, without bias; nothing if fewer than k runs were measured. */
export function passHatK(passed: number, count: number, k: number): number | undefined {
  return count < k ? undefined : Math.exp(logChoose(passed, k) - logChoose(count, k));
}

/** The mean of case values, its interval, and the number of yes-or-no cases that would tell as much. */
export type SuiteRate = Interval & { rate: number; effective: number };

/**
 * The mean of case values from 0 to 1 (rates, pass@k, pass^k) with its interval for cases like these: Wilson's on the
 * effective number of cases. One case at 0 and one at 1 are imagined, so that a small suite without a bad case does not look
 * surer than it is. `clusters` names the group of each case: cases of one template count as related.
 */
export function suiteInterval(
  values: readonly number[],
  { clusters, level = 0.95 }: { clusters?: readonly string[]; level?: number } = {},
): SuiteRate | undefined {
  if (values.length === 0) return undefined;
  const rate = mean(values);
  const isClustered = clusters !== undefined;
  return spreadInterval(rate, values.length, {
    ...clusterSpread(values, rate, clusters),
    isClustered,
    level,
  });
}

/** The number of case values from 0 to 1, their sum, and the sum of their squares. */
export type RateSums = { count: number; sum: number; squares: number };

/**
 * The interval of `suiteInterval` from sums, in percent and rounded for display; undefined without cases.
 * @example passRateInterval({ count: 20, sum: 20, squares: 20 }) // { low: 83.9, high: 100 }
 */
export function passRateInterval({ count, sum, squares }: RateSums): Interval | undefined {
  if (count === 0) return undefined;
  const rate = sum / count;
  const spread = { groups: count, sizes: count, squares: Math.max(0, squares - count * rate * rate) };
  const { low, high } = spreadInterval(rate, count, { ...spread, isClustered: false, level: 0.95 });
  return { low: roundedPercent(low), high: roundedPercent(high) };
}

/** The number of cases in a group of related ones, and the sum of their values. */
export type GroupSum = { size: number; sum: number };

/** Sums over groups: of cases, of values, of groups, of squared sizes, of squared sums, and of sizes times sums. */
export type GroupSums = {
  count: number;
  sum: number;
  groups: number;
  sizes: number;
  squares: number;
  products: number;
};

/**
 * The interval of a suite whose cases come in groups of related ones, in percent and rounded. Groups of one case each are
 * separate cases. Undefined without cases.
 */
export function groupedRateInterval(sums: GroupSums): Interval | undefined {
  const { count, sum, groups, sizes } = sums;
  if (sizes === groups) return passRateInterval(sums);
  const rate = sum / count;
  // Σ(sum − size·rate)² over groups.
  const squares = Math.max(0, sums.squares - 2 * rate * sums.products + rate ** 2 * sizes);
  const { low, high } = spreadInterval(rate, count, {
    groups,
    sizes,
    squares,
    isClustered: true,
    level: 0.95,
  });
  return { low: roundedPercent(low), high: roundedPercent(high) };
}

type Spread = { groups: number; squares: number; sizes: number; isClustered: boolean; level: number };

function spreadInterval(rate: number, count: number, spread: Spread): SuiteRate {
  const { groups, squares, sizes, isClustered, level } = spread;
  const imagined = (rate * rate + (1 - rate) ** 2) * (sizes / groups);
  const single = rate * (1 - rate) * count ** 2 * ((groups + 1) / groups);
  // Case values vary no more than yes and no do: at least one answer per group.
  const effective = Math.max(groups, single / (squares + imagined));
  const isPlain = groups < 2 || (!isClustered && effective === groups);
  const share = 0.5 + level / 2;
  const z = isPlain ? normalQuantile(share) : tQuantile(share, groups - 1);
  return { rate, ...wilson(rate * effective, effective, z), effective };
}

/** The number of groups, the sum of squared deviations of groups, and the sum of squared sizes. */
function clusterSpread(values: readonly number[], rate: number, clusters: readonly string[] | undefined) {
  if (clusters === undefined) {
    const squares = values.reduce((sum, value) => sum + (value - rate) ** 2, 0);
    return { groups: values.length, squares, sizes: values.length };
  }
  const byName = new Map<string, { deviation: number; size: number }>();
  for (const [at, value] of values.entries()) {
    const name = clusters[at] ?? '';
    const group = byName.get(name) ?? { deviation: 0, size: 0 };
    group.deviation += value - rate;
    group.size += 1;
    byName.set(name, group);
  }
  let squares = 0;
  let sizes = 0;
  for (const { deviation, size } of byName.values()) {
    squares += deviation ** 2;
    sizes += size ** 2;
  }
  return { groups: byName.size, squares, sizes };
}
