// Scores of the same cases before and after: differences of case means in, evidence of a change out.

import { normalCdf, normalQuantile } from './distributions.ts';
import { mean } from './moments.ts';
import { isWithin } from './paired-cases.ts';
import type { Interval } from './rates.ts';

/** The mean difference of scores (after − before) with its interval, and the chances of it if nothing changed. */
export type ScoreDifference = Interval & {
  /** Cases with a score on both sides. */
  n: number;
  delta: number;
  pWorse: number;
  pBetter: number;
  pTwo: number;
};

/** Up to this number of differences every choice of signs is counted. */
const EXACT = 14;
/** Random choices of signs where there are more differences; with the observed one they make ten thousand. */
const DRAWS = 9999;
/** From this number of differences on the sum of random signs is normal to more digits than draws give. */
const NORMAL = 1000;

/**
 * Tests "nothing changed" by flipping signs: if the versions are alike, the difference of a case is as likely to be negative as
 * positive. The interval has the shifts that the same test does not refute: it ends at means of random parts of the differences
 * (Hartigan's typical values), because a shift is refuted as often as such a mean lies beyond it. Seeded: equal input, equal answer.
 */
export function scoreDifference(
  differences: readonly number[],
  { level = 0.95 }: { level?: number } = {},
): ScoreDifference {
  const n = differences.length;
  if (n === 0) return { n, delta: 0, low: -1, high: 1, pWorse: 1, pBetter: 1, pTwo: 1 };
  // Neither the order of cases nor which side comes first decides which signs are drawn.
  const sorted = Float64Array.from(differences).sort();
  const isDrop = sum(sorted) < 0;
  const found = riseOf(isDrop ? sorted.map((value) => -value).reverse() : sorted, (1 - level) / 2);
  return { n, delta: mean(differences), ...(isDrop ? mirrored(found) : found) };
}

type Evidence = Omit<ScoreDifference, 'delta' | 'n'>;

/** Evidence of sorted differences whose mean is not negative. */
function riseOf(sorted: Float64Array, alpha: number): Evidence {
  const { pWorse, pBetter } = signFlipTest(sorted);
  const isMany = sorted.length > NORMAL;
  const { low, high } = isMany ? normalInterval(sorted, alpha) : typicalInterval(sorted, alpha);
  return {
    // The interval excludes 0 exactly if the test excludes "nothing changed".
    low: Math.max(-1, isWithin(pBetter, alpha) ? Math.max(low, 0) : Math.min(low, 0)),
    high: Math.min(1, isWithin(pWorse, alpha) ? Math.min(high, 0) : Math.max(high, 0)),
    pWorse,
    pBetter,
    pTwo: Math.min(1, 2 * Math.min(pWorse, pBetter)),
  };
}

function mirrored({ low, high, pWorse, pBetter, pTwo }: Evidence): Evidence {
  return { low: -high, high: -low, pWorse: pBetter, pBetter: pWorse, pTwo };
}

/** The chances of as low a mean, and of as high a mean, if signs are random. Differences of 0 have no sign. */
function signFlipTest(sorted: Float64Array): { pWorse: number; pBetter: number } {
  const moved = sorted.filter((value) => Math.abs(value) > TINY);
  if (moved.length === 0) return { pWorse: 1, pBetter: 1 };
  if (moved.length > NORMAL) {
    let squares = 0;
    for (const value of moved) squares += value * value;
    const z = sum(moved) / Math.sqrt(squares);
    return { pWorse: normalCdf(z), pBetter: normalCdf(-z) };
  }
  // Flipping a part makes the mean as low as the observed one, or lower, if the sum of that part is not negative.
  let above = 1;
  let below = 1;
  let parts = 1;
  eachPart(moved, (total) => {
    parts += 1;
    if (total >= -TINY) above += 1;
    if (total <= TINY) below += 1;
  });
  return { pWorse: above / parts, pBetter: below / parts };
}

/** Sums of differences that should be equal differ by less than this. */
const TINY = 1e-9;

/** The interval between two of the sorted means of parts; everything, if there are too few parts for the level. */
function typicalInterval(sorted: Float64Array, alpha: number): Interval {
  const means: number[] = [];
  eachPart(sorted, (total, size) => {
    if (size > 0) means.push(total / size);
  });
  const ordered = Float64Array.from(means).sort();
  // With k means beyond a shift its chance is (k + 1) of all parts and the empty one.
  const beyond = Math.floor(alpha * (ordered.length + 1) + 1e-9);
  if (beyond < 1) return { low: -1, high: 1 };
  return { low: ordered[beyond - 1] ?? -1, high: ordered[ordered.length - beyond] ?? 1 };
}

/** The limit of the same test for very many differences: the shifts whose z is not beyond that of the level. */
function normalInterval(sorted: Float64Array, alpha: number): Interval {
  const n = sorted.length;
  const delta = sum(sorted) / n;
  let squares = 0;
  for (const value of sorted) squares += (value - delta) ** 2;
  const z = normalQuantile(1 - alpha);
  // (n·(delta − shift))² = z²·Σ(value − shift)², solved for the shift.
  const half = z * Math.sqrt(squares / (n * (n - z * z)));
  return { low: delta - half, high: delta + half };
}

/** Calls `visit` with the sum and size of every part but the empty one, or of random parts if there are many. */
function eachPart(values: Float64Array, visit: (total: number, size: number) => void): void {
  const groups = groupSums(values);
  if (values.length <= EXACT) {
    for (let part = 1; part < 2 ** values.length; part += 1) visitPart(groups, () => part, visit);
    return;
  }
  const next = createBits(values.length);
  for (let draw = 0; draw < DRAWS; draw += 1) visitPart(groups, next, visit);
}

/** The sums of all parts of a group of neighbours, by the bits of the part. */
type Group = { sums: Float64Array; last: number };

const GROUP_BITS = 10;
/** Groups that one random number chooses parts of. */
const GROUPS_OF_WORD = 3;
/** The number of set bits. */
const SIZES = Uint8Array.from({ length: 2 ** GROUP_BITS }, (_, bits) => {
  let size = 0;
  for (let left = bits; left > 0; left &= left - 1) size += 1;
  return size;
});

/** Adding up groups instead of single values makes a part ten times cheaper. */
function groupSums(values: Float64Array): Group[] {
  return Array.from({ length: Math.ceil(values.length / GROUP_BITS) }, (_, group) => {
    const own = values.subarray(group * GROUP_BITS, (group + 1) * GROUP_BITS);
    const sums = new Float64Array(2 ** own.length);
    for (const [at, value] of own.entries())
      for (let bits = 0; bits < 2 ** at; bits += 1) sums[2 ** at + bits] = (sums[bits] ?? 0) + value;
    return { sums, last: sums.length - 1 };
  });
}

/** `bits` gives the choices for the next three groups. */
function visitPart(
  groups: readonly Group[],
  bits: () => number,
  visit: (total: number, size: number) => void,
): void {
  let total = 0;
  let size = 0;
  let word = 0;
  for (const [at, { sums, last }] of groups.entries()) {
    if (at % GROUPS_OF_WORD === 0) word = bits();
    const part = word & last;
    total += sums[part] ?? 0;
    size += SIZES[part] ?? 0;
    word >>>= GROUP_BITS;
  }
  visit(total, size);
}

/** A seeded source of random bits (sfc32). */
function createBits(seed: number): () => number {
  let [a, b, c, d] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88 | 0, 1];
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 2;
  };
  for (let warm = 0; warm < 20; warm += 1) next();
  return next;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
