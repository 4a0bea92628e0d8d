// Which of several models (or values of a variable) is best on the same cases.

import type { Counts } from './compare-runs.ts';
import { tCdf, tQuantile } from './distributions.ts';
import { mean, variance } from './moments.ts';
import type { PairedCounts } from './paired-cases.ts';
import { difference, isMeasuredTwice, isWithin } from './paired-cases.ts';
import type { Interval } from './rates.ts';

/** The difference for cases like these, which are a sample of more: Student's t on the differences of cases. */
export function likeThese(
  cases: readonly PairedCounts[],
  { level = 0.95 }: { level?: number } = {},
): Interval & { delta: number; pTwo: number } {
  const differences = cases.filter(isMeasuredTwice).map(({ xa, ra, xb, rb }) => xb / rb - xa / ra);
  const delta = differences.length === 0 ? 0 : mean(differences);
  if (differences.length < 2) return { delta, low: -1, high: 1, pTwo: 1 };
  const free = differences.length - 1;
  const se = Math.sqrt(variance(differences) / differences.length);
  const half = tQuantile(0.5 + level / 2, free) * se;
  const pTwo = delta === 0 ? 1 : 2 * tCdf(-Math.abs(delta) / se, free);
  return { delta, low: delta - half, high: delta + half, pTwo };
}

/** Two models, `b` compared with `a`: p must hold on this suite and for cases like these. */
export type ModelPair = Interval & { a: number; b: number; delta: number; p: number; adjusted: number };

export type ModelRanks = {
  /** The mean pass rate of each model. */
  rates: number[];
  /** The position of the highest rate. */
  leader: number;
  /** Whether the leader is better than every other model. */
  clear: boolean;
  pairs: ModelPair[];
  /** The ranks that each model may have, from 1. */
  ranks: [first: number, last: number][];
  /** Positions of models that may be the best. */
  perhapsBest: number[];
};

/**
 * Ranks models on the same cases: `results[model][case]` has counts, r = 0 where it was not measured. Holm's correction over
 * pairs; the leader needs none, because it must beat its runner-up.
 */
export function rankModels(
  results: readonly (readonly Counts[])[],
  { alpha = 0.05 }: { alpha?: number } = {},
): ModelRanks {
  const rates = results.map((cases) => mean(cases.filter(({ r }) => r > 0).map(({ x, r }) => x / r)));
  const pairs = holm(results.flatMap((_, a) => pairsAfter(results, a)));
  const leader = rates.reduce((best, rate, at) => (rate > (rates[best] ?? -1) ? at : best), 0);
  const ranks = rates.map((_, at): [number, number] => {
    const proven = pairs.filter(({ a, b, adjusted }) => (a === at || b === at) && isWithin(adjusted, alpha));
    const lost = proven.filter(({ b, delta }) => delta > 0 !== (b === at)).length;
    return [1 + lost, results.length - (proven.length - lost)];
  });
  return {
    rates,
    leader,
    clear: pairs.every(({ a, b, p }) => (a !== leader && b !== leader) || isWithin(p, alpha)),
    pairs,
    ranks,
    perhapsBest: ranks.flatMap(([first], at) => (first === 1 ? [at] : [])),
  };
}

function pairsAfter(results: readonly (readonly Counts[])[], a: number): ModelPair[] {
  const before = results[a] ?? [];
  return results.slice(a + 1).map((after, offset) => {
    const cases = before.map(({ x, r }, at) => {
      const { x: xb, r: rb } = after[at] ?? { x: 0, r: 0 };
      return { xa: x, ra: r, xb, rb };
    });
    const here = difference(cases);
    const beyond = likeThese(cases);
    return {
      a,
      b: a + 1 + offset,
      delta: here.delta,
      low: Math.min(here.low, beyond.low),
      high: Math.max(here.high, beyond.high),
      p: Math.max(here.pTwo, beyond.pTwo),
      adjusted: 1,
    };
  });
}

/** Sets `adjusted` by Holm's method over all pairs. */
export function holm<T extends { p: number; adjusted: number }>(tests: readonly T[]): T[] {
  const adjusted = new Map<T, number>();
  let running = 0;
  for (const [at, test] of tests.toSorted((one, other) => one.p - other.p).entries()) {
    running = Math.max(running, Math.min(1, test.p * (tests.length - at)));
    adjusted.set(test, running);
  }
  return tests.map((test) => ({ ...test, adjusted: adjusted.get(test) ?? 1 }));
}
