// Which of several models (or values of a variable) is best on the same cases.

import type { Counts } from './compare-runs.ts';
import { tCdf, tQuantile } from './distributions.ts';
import { mean, variance } from './moments.ts';
import type { PairedCounts } from './paired-cases.ts';
import { difference, isMeasuredTwice, isWithin } from './paired-cases.ts';
import type { Interval } from './rates.ts';

/**
 * The difference for cases like these, which are a sample of more: Student's t on the differences of cases. `groups` has the
 * group of each case, if some are related; a group counts as one case then.
 */
export function likeThese(
  cases: readonly PairedCounts[],
  { level = 0.95, groups }: { level?: number; groups?: ArrayLike<number> | undefined } = {},
): Interval & { delta: number; pTwo: number } {
  const differences = groupDifferences(cases, groups);
  const delta = differences.length === 0 ? 0 : mean(differences);
  if (differences.length < 2) return { delta, low: -1, high: 1, pTwo: 1 };
  const free = differences.length - 1;
  const se = Math.sqrt(variance(differences) / differences.length);
  const half = tQuantile(0.5 + level / 2, free) * se;
  const pTwo = delta === 0 ? 1 : 2 * tCdf(-Math.abs(delta) / se, free);
  return { delta, low: delta - half, high: delta + half, pTwo };
}

/** The mean difference of each group of cases that were measured on both sides. */
export function groupDifferences(
  cases: readonly PairedCounts[],
  groups: ArrayLike<number> | undefined,
): number[] {
  if (groups === undefined)
    return cases.filter(isMeasuredTwice).map(({ xa, ra, xb, rb }) => xb / rb - xa / ra);
  const sums = new Map<number, { sum: number; count: number }>();
  for (const [at, one] of cases.entries()) {
    if (!isMeasuredTwice(one)) continue;
    const group = groups[at] ?? -1;
    const known = sums.get(group) ?? { sum: 0, count: 0 };
    known.sum += one.xb / one.rb - one.xa / one.ra;
    known.count += 1;
    sums.set(group, known);
  }
  return [...sums.values()].map(({ sum, count }) => sum / count);
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

/** Models, or values of a variable, that were measured on the same cases. */
export type Rivals = {
  /** The mean pass rate of each. */
  rates: readonly number[];
  /** The cases with the counts of two of them, always in the same order. */
  pair(a: number, b: number): PairedCounts[];
  /** The group of each case, if some are related. */
  groups?: ArrayLike<number> | undefined;
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
  const pair = (a: number, b: number): PairedCounts[] =>
    (results[a] ?? []).map(({ x, r }, at) => {
      const { x: xb, r: rb } = results[b]?.[at] ?? { x: 0, r: 0 };
      return { xa: x, ra: r, xb, rb };
    });
  const [ranks] = rankAll([{ rates, pair }], { alpha });
  if (ranks === undefined) throw new Error('no ranks');
  return ranks;
}

/** Ranks several sets of rivals; Holm's correction is over the pairs of all of them. */
export function rankAll(sets: readonly Rivals[], { alpha = 0.05 }: { alpha?: number } = {}): ModelRanks[] {
  const tested = sets.map(testPairs);
  const corrected = holm(tested.flat());
  let next = 0;
  return sets.map(({ rates }, set) => {
    const start = next;
    next += tested[set]?.length ?? 0;
    return rankOne(rates, corrected.slice(start, next), alpha);
  });
}

function rankOne(rates: readonly number[], pairs: ModelPair[], alpha: number): ModelRanks {
  const leader = rates.reduce((best, rate, at) => (rate > (rates[best] ?? -1) ? at : best), 0);
  const clear = pairs.every(
    ({ a, b, delta, p }) =>
      (a !== leader && b !== leader) || (isWithin(p, alpha) && delta > 0 === (b === leader)),
  );
  const ranks = rates.map((_, at): [number, number] => {
    const proven = pairs.filter(({ a, b, adjusted }) => (a === at || b === at) && isWithin(adjusted, alpha));
    const lost = proven.filter(({ b, delta }) => delta > 0 !== (b === at)).length;
    const [first, last] = [1 + lost, rates.length - (proven.length - lost)];
    // A leader that is clear has the first rank, whatever the correction leaves open.
    if (clear) return at === leader ? [1, 1] : [Math.max(2, first), Math.max(2, last)];
    return [first, last];
  });
  return {
    rates: [...rates],
    leader,
    clear,
    pairs,
    ranks,
    perhapsBest: ranks.flatMap(([first], at) => (first === 1 ? [at] : [])),
  };
}

function testPairs({ rates, pair, groups }: Rivals): ModelPair[] {
  return rates.flatMap((_, a) =>
    rates.slice(a + 1).map((__, offset) => {
      const b = a + 1 + offset;
      const cases = pair(a, b);
      const here = difference(cases);
      const beyond = likeThese(cases, { groups });
      return {
        a,
        b,
        delta: here.delta,
        low: Math.min(here.low, beyond.low),
        high: Math.max(here.high, beyond.high),
        p: Math.max(here.pTwo, beyond.pTwo),
        adjusted: 1,
      };
    }),
  );
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
