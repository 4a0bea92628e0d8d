// Two runs over the same cases: passes and measured runs before and after in, evidence of a change out.

import { normalCdf, normalQuantile, logChoose } from './distributions.ts';
import type { LatticeVariable } from './lattice-sum.ts';
import { sumTails } from './lattice-sum.ts';
import type { Interval } from './rates.ts';

/** A case: xa of ra measured runs passed before, xb of rb after. */
export type PairedCounts = { xa: number; ra: number; xb: number; rb: number };

/** Equal cases, and how many of them there are. */
export type CaseGroup = PairedCounts & { count: number };

/** Whether a probability is at most a level; allows for rounding. */
export function isWithin(p: number, level: number): boolean {
  return p <= level + 1e-9;
}

/** Whether a case was measured on both sides; only such cases are compared. */
export function isMeasuredTwice({ ra, rb }: PairedCounts): boolean {
  return ra > 0 && rb > 0;
}

/** The groups of equal cases, and for each case the position of its group. */
export function groupCases(cases: readonly PairedCounts[]): { groups: CaseGroup[]; groupOf: Int32Array } {
  const places = new Map<number | string, number>();
  const groups: CaseGroup[] = [];
  const groupOf = new Int32Array(cases.length);
  for (const [at, { xa, ra, xb, rb }] of cases.entries()) {
    const key =
      ra < 8192 && rb < 8192 ? ((xa * 8192 + ra) * 8192 + xb) * 8192 + rb : `${xa}/${ra} ${xb}/${rb}`;
    const place = places.get(key);
    const group = place === undefined ? undefined : groups[place];
    if (place === undefined || group === undefined) {
      places.set(key, groups.length);
      groupOf[at] = groups.length;
      groups.push({ xa, ra, xb, rb, count: 1 });
      continue;
    }
    groupOf[at] = place;
    group.count += 1;
  }
  return { groups, groupOf };
}

/** Chances of each number of passes after, from `least` on, if nothing changed and `passes` of all runs passed. */
export function hypergeometric(
  ra: number,
  rb: number,
  passes: number,
): { least: number; chances: readonly number[] } {
  const key = ra < 8192 && rb < 8192 ? (ra * 8192 + rb) * 16_384 + passes : `${ra} ${rb} ${passes}`;
  const known = hypergeometrics.get(key);
  if (known !== undefined) return known;
  const least = Math.max(0, passes - ra);
  const most = Math.min(rb, passes);
  const ways = logChoose(ra + rb, passes);
  const chances: number[] = [];
  for (let x = least; x <= most; x += 1)
    chances.push(Math.exp(logChoose(rb, x) + logChoose(ra, passes - x) - ways));
  if (hypergeometrics.size > 20_000) hypergeometrics.clear();
  const found = { least, chances };
  hypergeometrics.set(key, found);
  return found;
}
const hypergeometrics = new Map<number | string, { least: number; chances: readonly number[] }>();

/** Mid-p values of the exact test, and the number of cases that can tell anything. */
export type StratifiedTest = { pWorse: number; pBetter: number; informative: number };

/**
 * The exact test of "nothing changed in any case": within a case, chance alone decides which runs are before and which
 * after. The sum of the differences of cases has the convolution of hypergeometric distributions, on whole numbers that
 * stand for the step of a case's difference. With one run each it is McNemar's test.
 */
export function stratifiedTest(cases: readonly PairedCounts[]): StratifiedTest {
  return testGroups(groupCases(cases).groups);
}

function testGroups(groups: readonly CaseGroup[]): StratifiedTest {
  const variables = new Map<readonly number[], LatticeVariable>();
  let observed = 0;
  let divisor = 0;
  let informative = 0;
  for (const { xa, ra, xb, rb, count } of groups) {
    const passes = xa + xb;
    if (ra === 0 || rb === 0 || passes === 0 || passes === ra + rb) continue;
    const { least, chances } = hypergeometric(ra, rb, passes);
    const step = Math.round(60 * (1 / ra + 1 / rb));
    const known = variables.get(chances);
    if (known === undefined) variables.set(chances, { chances, step, count });
    else known.count += count;
    observed += (xb - least) * step * count;
    divisor = greatestDivisor(divisor, step);
    informative += count;
  }
  if (informative === 0) return { pWorse: 0.5, pBetter: 0.5, informative };
  for (const variable of variables.values()) variable.step /= divisor;
  const { below, at, above } = sumTails([...variables.values()], observed / divisor);
  return { pWorse: below + at / 2, pBetter: above + at / 2, informative };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** The exact one-sided p of a case, and all p-values that it could have had, ascending. */
export type CaseTest = { p: number; levels: readonly number[] };

/** Fisher's test of one case: the chance of as few passes after, or fewer, if nothing changed. */
export function caseTest({ xa, ra, xb, rb }: PairedCounts): CaseTest {
  const passes = xa + xb;
  if (ra === 0 || rb === 0 || passes === 0 || passes === ra + rb) return { p: 1, levels: [1] };
  const { least, chances } = hypergeometric(ra, rb, passes);
  let sum = 0;
  const levels = chances.map((chance) => Math.min(1, (sum += chance)));
  return { p: levels[xb - least] ?? 1, levels };
}

/** The difference of pass rates (after − before; every case has the same weight) for this suite, as shares. */
export type Difference = Interval & {
  /** Cases measured on both sides. If there are none, every difference is possible. */
  n: number;
  delta: number;
  pWorse: number;
  pBetter: number;
  pTwo: number;
  se: number;
  informative: number;
};

const NOTHING_KNOWN: Difference = {
  n: 0,
  delta: 0,
  low: -1,
  high: 1,
  pWorse: 0.5,
  pBetter: 0.5,
  pTwo: 1,
  se: 0,
  informative: 0,
};

/**
 * The difference with its interval: how it would vary if both versions ran again and again on these cases. Away from zero
 * the interval allows for drops that did not show yet. It excludes 0 exactly if the test excludes "nothing changed".
 */
export function difference(
  cases: readonly PairedCounts[],
  { level = 0.95 }: { level?: number } = {},
): Difference {
  const { groups } = groupCases(cases.filter(isMeasuredTwice));
  const { n, delta, variance, inverse } = differenceMoments(groups);
  if (n === 0) return { ...NOTHING_KNOWN };
  const se = Math.sqrt(variance);
  const test = testGroups(groups);
  let { pWorse, pBetter } = test;
  // If some cases surely rise and others fall, "nothing changed" is refuted, but not that the suite stayed the same:
  // then the noise within the sides must exclude 0 too.
  if (hasTwo(groups, (group) => caseTest(turned(group)).p <= 0.1))
    pWorse = Math.max(pWorse, normalCdf(delta / se));
  if (hasTwo(groups, (group) => caseTest(group).p <= 0.1))
    pBetter = Math.max(pBetter, normalCdf(-delta / se));
  const z = normalQuantile(0.5 + level / 2);
  const { away, toward } = reachOf(delta, variance, inverse, z);
  const alpha = (1 - level) / 2;
  const low = delta - (delta > 0 ? toward : away);
  const high = delta + (delta > 0 ? away : toward);
  return {
    n,
    delta,
    low: Math.max(-1, isWithin(pBetter, alpha) ? Math.max(low, 0) : Math.min(low, 0)),
    high: Math.min(1, isWithin(pWorse, alpha) ? Math.min(high, 0) : Math.max(high, 0)),
    pWorse,
    pBetter,
    pTwo: Math.min(1, 2 * Math.min(pWorse, pBetter)),
    se,
    informative: test.informative,
  };
}

/** The mean difference, its variance, and the mean of 1/runs over the number of cases. */
function differenceMoments(groups: readonly CaseGroup[]) {
  let n = 0;
  let sum = 0;
  let pooled = 0;
  let seen = 0;
  let inverse = 0;
  for (const { xa, ra, xb, rb, count } of groups) {
    const before = xa / ra;
    const after = xb / rb;
    const passes = xa + xb;
    const runs = ra + rb;
    n += count;
    sum += count * (after - before);
    pooled += (count * passes * (runs - passes)) / ((runs - 1) * ra * rb);
    const isRepeated = ra > 1 && rb > 1;
    const within = isRepeated ? (before * (1 - before)) / (ra - 1) + (after * (1 - after)) / (rb - 1) : 0;
    seen += count * (isRepeated ? within : (after - before) ** 2);
    inverse += count / Math.min(ra, rb);
  }
  return { n, delta: sum / n, variance: Math.max(pooled, seen) / n ** 2, inverse: inverse / n ** 2 };
}

/** How far the interval reaches from the difference: away from 0, and to the side where 0 is. */
function reachOf(delta: number, variance: number, inverse: number, z: number) {
  const away = unseenReach(variance, inverse, z);
  const size = Math.abs(delta);
  const plain = z * Math.sqrt(variance);
  if (plain < size) return { away, toward: plain };
  const beyond = unseenReach(variance - inverse * size, inverse, z);
  return { away, toward: beyond >= 0 ? beyond : size };
}

/** Solves e² = z²·(variance + inverse·e): changes that did not show yet add variance in proportion to their size. */
export function unseenReach(variance: number, inverse: number, z: number): number {
  const linear = z * z * inverse;
  return (linear + Math.sqrt(linear * linear + 4 * z * z * variance)) / 2;
}

/** The same case with pass and fail exchanged: its test asks whether it rose. */
function turned({ xa, ra, xb, rb }: PairedCounts): PairedCounts {
  return { xa: ra - xa, ra, xb: rb - xb, rb };
}

function hasTwo(groups: readonly CaseGroup[], isSo: (group: CaseGroup) => boolean): boolean {
  let found = 0;
  for (const group of groups) {
    if (isSo(group)) found += group.count;
    if (found >= 2) return true;
  }
  return false;
}
