// Properties that hold for all inputs: symmetry, order of cases, monotony, and grouping against the plain definitions.

import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { autoRule, walk } from './auto-rule.ts';
import { compareRuns } from './compare-runs.ts';
import { binomialCdf } from './distributions.ts';
import { LOOKS, certainGate, lookAtRounds, lookLevel, looksWithin, suiteGate } from './gates.ts';
import type { LatticeVariable } from './lattice-sum.ts';
import { sumTails } from './lattice-sum.ts';
import type { PairedCounts } from './paired-cases.ts';
import { caseTest, difference, hypergeometric, stratifiedTest } from './paired-cases.ts';
import { wilson } from './rates.ts';
import { ratioOf } from './ratios.ts';
import { regressedCases } from './regressed-cases.ts';

const oneCase = record({
  ra: integer({ min: 1, max: 6 }),
  rb: integer({ min: 1, max: 4 }),
  a: integer({ min: 0, max: 6 }),
  b: integer({ min: 0, max: 4 }),
}).map(({ ra, rb, a, b }): PairedCounts => ({ xa: Math.min(a, ra), ra, xb: Math.min(b, rb), rb }));
const someCases = array(oneCase, { minLength: 1, maxLength: 12 });

test('swapping before and after mirrors the difference, its interval and its p-values', () => {
  assert(
    property(someCases, (cases) => {
      const there = difference(cases);
      const back = difference(cases.map(({ xa, ra, xb, rb }) => ({ xa: xb, ra: rb, xb: xa, rb: ra })));
      expect(back.delta).toBeCloseTo(-there.delta, 9);
      expect(back.pWorse).toBeCloseTo(there.pBetter, 9);
      expect(back.pBetter).toBeCloseTo(there.pWorse, 9);
      expect(back.low).toBeCloseTo(-there.high, 9);
      expect(back.high).toBeCloseTo(-there.low, 9);
    }),
  );
});

test('the order of cases changes nothing', () => {
  assert(
    property(someCases, (cases) => {
      const forward = compareRuns(cases);
      const backward = compareRuns(cases.toReversed());
      expect(backward.pWorse).toBeCloseTo(forward.pWorse, 9);
      expect(backward.low).toBeCloseTo(forward.low, 9);
      expect(backward.verdict).toBe(forward.verdict);
      for (const [at, one] of backward.single.toReversed().entries()) {
        expect(one.adjusted).toBeCloseTo(forward.single[at]?.adjusted ?? Number.NaN, 9);
        expect(one.falseShare).toBeCloseTo(forward.single[at]?.falseShare ?? Number.NaN, 9);
      }
    }),
  );
});

test('one more failure after never makes the p of "worse" larger', () => {
  assert(
    property(someCases, (cases) => {
      const at = cases.findIndex(({ xb }) => xb > 0);
      const failed = cases.map(({ xa, ra, xb, rb }, place) => ({
        xa,
        ra,
        xb: place === at ? xb - 1 : xb,
        rb,
      }));
      expect(difference(failed).pWorse).toBeLessThanOrEqual(difference(cases).pWorse + 1e-9);
    }),
  );
});

test('the interval contains the difference, and excludes 0 exactly if the test does', () => {
  assert(
    property(someCases, (cases) => {
      const { delta, low, high, pWorse, pBetter } = difference(cases);
      expect(low).toBeLessThanOrEqual(delta + 1e-12);
      expect(high).toBeGreaterThanOrEqual(delta - 1e-12);
      if (pWorse > 0.0251) expect(high).toBeGreaterThanOrEqual(0);
      if (pBetter > 0.0251) expect(low).toBeLessThanOrEqual(0);
      if (pWorse < 0.025) expect(high).toBeLessThanOrEqual(0);
    }),
  );
});

/** The test as it is defined: one convolution for each case. */
function plainTest(cases: readonly PairedCounts[]): number {
  let chances = new Map([[0, 1]]);
  let observed = 0;
  for (const { xa, ra, xb, rb } of cases) {
    const { least, chances: own } = hypergeometric(ra, rb, xa + xb);
    const step = Math.round(60 * (1 / ra + 1 / rb));
    if (own.length === 1) continue;
    observed += (xb - least) * step;
    const next = new Map<number, number>();
    for (const [sum, chance] of chances)
      for (const [at, share] of own.entries())
        next.set(sum + at * step, (next.get(sum + at * step) ?? 0) + chance * share);
    chances = next;
  }
  let p = 0;
  for (const [sum, chance] of chances) p += sum < observed ? chance : sum === observed ? chance / 2 : 0;
  return p;
}

test('grouped cases give the p-value of the plain definition', () => {
  assert(
    property(someCases, (cases) => {
      expect(stratifiedTest(cases).pWorse.toPrecision(9)).toBe(plainTest(cases).toPrecision(9));
    }),
  );
});

/** The evidence as it is defined: all cases at every p. */
function plainEvidence(cases: readonly PairedCounts[]) {
  const tests = cases.map((one) => caseTest(one));
  const reach = (levels: readonly number[], t: number): number =>
    levels.findLast((level) => level <= t * (1 + 1e-12)) ?? 0;
  return tests.map(({ p }) => {
    if (p === 1) return { p, adjusted: 1, falseShare: 1 };
    let adjusted = 0;
    let falseShare = 1;
    for (const other of tests) {
      const remaining = tests.filter((one) => one.p >= other.p);
      const chance = 1 - remaining.reduce((miss, { levels }) => miss * (1 - reach(levels, other.p)), 1);
      const expected = tests.reduce((sum, { levels }) => sum + reach(levels, other.p), 0);
      const found = tests.filter((one) => one.p <= other.p).length;
      if (other.p <= p) adjusted = Math.max(adjusted, chance);
      if (other.p >= p && other.p < 1) falseShare = Math.min(falseShare, expected / found);
    }
    return { p, adjusted, falseShare };
  });
}

test('grouped cases give the evidence of the plain definition', () => {
  assert(
    property(someCases, (cases) => {
      const plain = plainEvidence(cases);
      for (const [at, { p, adjusted, falseShare }] of regressedCases(cases).entries()) {
        expect(p).toBeCloseTo(plain[at]?.p ?? Number.NaN, 9);
        if (adjusted <= 0.5) expect(adjusted).toBeCloseTo(plain[at]?.adjusted ?? Number.NaN, 9);
        expect(falseShare).toBeCloseTo(plain[at]?.falseShare ?? Number.NaN, 9);
      }
    }),
  );
});

/** The chances of a sum, one variable after the other. */
function plainSum(variables: readonly LatticeVariable[]): number[] {
  let sum = [1];
  for (const { chances, step, count } of variables)
    for (let round = 0; round < count; round += 1) {
      const next = Array.from({ length: sum.length + (chances.length - 1) * step }, () => 0);
      for (const [at, chance] of chances.entries())
        for (const [place, other] of sum.entries())
          next[place + at * step] = (next[place + at * step] ?? 0) + chance * other;
      sum = next;
    }
  return sum;
}

test('a large sum has the tails of the plain definition', () => {
  const variables = [
    { chances: [0.2, 0.5, 0.3], step: 2, count: 500 },
    { chances: [0.6, 0.4], step: 3, count: 200 },
  ];
  const plain = plainSum(variables);
  const add = (sum: number, chance: number): number => sum + chance;
  for (const value of [1150, 1210, 1293, 1340]) {
    const { below, at, above } = sumTails(variables, value);
    expect(below).toBeCloseTo(plain.slice(0, value).reduce(add, 0), 12);
    expect(at).toBeCloseTo(plain[value] ?? Number.NaN, 12);
    expect(above).toBeCloseTo(plain.slice(value + 1).reduce(add, 0), 12);
  }
  const coins = sumTails([{ chances: [0.5, 0.5], step: 1, count: 20_000 }], 9900);
  expect(coins.below).toBeCloseTo(binomialCdf(9899, 20_000, 0.5), 9);
});

test('two runs of 100,000 cases take less than a second', () => {
  const cases = Array.from({ length: 100_000 }, (_, at): PairedCounts => {
    const ra = 30 - (at % 7);
    const rb = 3 - (at % 11 === 0 ? 1 : 0);
    return { xa: at % 5 === 0 ? at % (ra + 1) : ra, ra, xb: at % 13 === 0 ? at % (rb + 1) : rb, rb };
  });
  const started = performance.now();
  expect(compareRuns(cases).n).toBe(100_000);
  expect(performance.now() - started).toBeLessThan(1000);
});

test('a rule for repetitions keeps both errors at any zone', () => {
  const zone = constantFrom([0.7, 0.9, 20], [0.5, 0.8, 20], [0.8, 0.95, 40], [0.3, 0.6, 15], [0.6, 0.95, 12]);
  assert(
    property(zone, integer({ min: 1, max: 4 }), ([low = 0, high = 0, max = 0], min) => {
      const { decide } = autoRule(low, high, { min, max });
      expect(walk(decide, max, low).pass).toBeLessThanOrEqual(0.05);
      expect(walk(decide, max, high).fail).toBeLessThanOrEqual(0.05);
    }),
    { numRuns: 20 },
  );
});

test('a gate does not decide without evidence, and a decided gate stays decided', () => {
  const empty = suiteGate(3, 0.8);
  for (let round = 0; round < 20; round += 1)
    expect(empty.addRound([undefined, undefined, undefined]).verdict).toBe('undecided');
  const even = suiteGate(4, 0.5);
  for (let round = 0; round < 20; round += 1)
    expect(even.addRound([true, false, true, false]).verdict).toBe('undecided');
  const sure = suiteGate(50, 0.5);
  const passed = Array.from({ length: 50 }, () => true);
  const states = [passed, passed, passed.map(() => false)].map((round) => sure.addRound(round));
  expect(states.map(({ verdict, round }) => [verdict, round])).toEqual([
    ['pass', 1],
    ['pass', 1],
    ['pass', 1],
  ]);
});

test('the level of looks keeps the total error', () => {
  expect(lookLevel(LOOKS.rounds)).toBeCloseTo(0.006913, 5);
  expect(lookLevel([1, 2])).toBeCloseTo(0.014693, 5);
  expect(lookLevel([1, 2, 4])).toBeCloseTo(0.010395, 5);
  expect(looksWithin(10)).toBe(LOOKS);
  expect(looksWithin(1).level).toBeCloseTo(0.025, 9);
  expect(looksWithin(5).rounds).toEqual([1, 2, 4, 5]);
});

test('a look goes on until the margin is excluded', () => {
  const steady = (count: number, xb = 1) =>
    Array.from({ length: count }, () => ({ xa: 10, ra: 10, xb, rb: 1 }));
  expect(lookAtRounds(steady(20)).verdict).toBe('undecided');
  expect(lookAtRounds(steady(400)).verdict).toBe('not_worse');
  expect(lookAtRounds(steady(40, 0)).verdict).toBe('worse');
});

test('a gate on planned runs ends as soon as the rest cannot change the answer', () => {
  expect(certainGate([{ planned: 4, passes: 2, left: 2 }], 0.5)).toBe('pass');
  expect(certainGate([{ planned: 4, passes: 0, left: 1 }], 0.5)).toBe('fail');
  expect(certainGate([{ planned: 4, passes: 1, left: 2 }], 0.5)).toBe('undecided');
});

test('Wilson contains the rate, and a typical ratio lies within its interval', () => {
  assert(
    property(integer({ min: 1, max: 50 }), integer({ min: 0, max: 50 }), (count, passed) => {
      const x = Math.min(passed, count);
      const { low, high } = wilson(x, count);
      expect(low <= x / count && x / count <= high).toBe(true);
    }),
  );
  assert(
    property(array(integer({ min: 1, max: 400 }), { minLength: 6, maxLength: 30 }), (values) => {
      const { ratio, low, high } = ratioOf(values.map((one) => one / 100)) ?? { ratio: 0, low: 1, high: 0 };
      expect(low <= ratio + 1e-12 && ratio <= high + 1e-12).toBe(true);
    }),
  );
});
