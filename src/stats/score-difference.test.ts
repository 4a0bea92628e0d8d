import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScoreDifference } from './score-difference.ts';
import { scoreDifference } from './score-difference.ts';

/** Rounded, so that two ways of adding up agree. */
function rounded(values: readonly number[]): ScoreDifference {
  const round = (value: number): number => Math.round(value * 1e8) / 1e8 + 0;
  const { n, delta, low, high, pWorse, pBetter, pTwo } = scoreDifference(values);
  return {
    n,
    delta: round(delta),
    low: round(low),
    high: round(high),
    pWorse: round(pWorse),
    pBetter: round(pBetter),
    pTwo: round(pTwo),
  };
}

describe('few differences: every choice of signs, as an enumeration in another language gives them', () => {
  test.each([
    {
      differences: [-0.1, -0.2, -0.05, -0.3, 0.05, -0.15, -0.1, -0.25],
      wanted: {
        n: 8,
        delta: -0.1375,
        low: -0.23333333,
        high: -0.03333333,
        pWorse: 3 / 256,
        pBetter: 255 / 256,
      },
    },
    // Five differences are too few to exclude anything at 95 %.
    {
      differences: [-0.2, 0.1, 0, 0, 0.05],
      wanted: { n: 5, delta: -0.01, low: -1, high: 1, pWorse: 0.5, pBetter: 0.625 },
    },
    {
      differences: [0.3, 0.2, 0.1, 0.4, 0.25, 0.15],
      wanted: { n: 6, delta: 0.23333333, low: 0.1, high: 0.4, pWorse: 1, pBetter: 1 / 64 },
    },
    {
      differences: [-0.4, -0.1, -0.1, 0, -0.2, 0.1, -0.3, -0.05, -0.15, -0.25],
      wanted: { n: 10, delta: -0.145, low: -0.25, high: -0.0375, pWorse: 10 / 1024, pBetter: 1020 / 1024 },
    },
  ])('$differences', ({ differences, wanted }) => {
    const { pTwo, ...found } = rounded(differences);
    expect(found).toEqual({
      ...wanted,
      pWorse: Math.round(wanted.pWorse * 1e8) / 1e8,
      pBetter: Math.round(wanted.pBetter * 1e8) / 1e8,
    });
    expect(pTwo).toBeCloseTo(Math.min(1, 2 * Math.min(wanted.pWorse, wanted.pBetter)), 7);
  });
});

test('many differences: random signs come close to the exact distribution', () => {
  // The exact chances are those of a convolution over all 2^40 choices.
  const differences = Array.from({ length: 40 }, (_, at) => (((at * 37) % 23) - 13) / 100);
  const { delta, pWorse, pBetter } = scoreDifference(differences);
  expect(delta).toBeCloseTo(-0.022, 10);
  // Three standard errors of 9,999 draws.
  expect(Math.abs(pWorse - 0.0248534)).toBeLessThan(0.0047);
  expect(Math.abs(pBetter - 0.9777417)).toBeLessThan(0.0047);
});

test('very many differences: the limit agrees with random signs', () => {
  const differences = Array.from({ length: 1000 }, (_, at) => (((at * 7919) % 401) - 210) / 400);
  const drawn = scoreDifference(differences);
  const limit = scoreDifference([...differences, 0]);
  expect(Math.abs(drawn.low - limit.low)).toBeLessThan(0.002);
  expect(Math.abs(drawn.high - limit.high)).toBeLessThan(0.002);
  const million = Array.from({ length: 1_000_000 }, (_, at) => (((at * 7919) % 401) - 210) / 400);
  const { pWorse, low, high } = scoreDifference(million);
  expect({ pWorse, low: low.toFixed(4), high: high.toFixed(4) }).toEqual({
    pWorse: 0,
    low: '-0.0256',
    high: '-0.0244',
  });
});

test('differences of 0 do not make three differences more than three', () => {
  const zeros = Array.from({ length: 5000 }, () => 0);
  expect(scoreDifference([...zeros, 0.5, 0.5, 0.5])).toMatchObject({ pBetter: 1 / 8, pWorse: 1, pTwo: 0.25 });
});

test('nothing is known without differences, and equal scores are no evidence', () => {
  expect(scoreDifference([])).toEqual({ n: 0, delta: 0, low: -1, high: 1, pWorse: 1, pBetter: 1, pTwo: 1 });
  expect(scoreDifference([0, 0, 0])).toMatchObject({ delta: 0, pWorse: 1, pBetter: 1, pTwo: 1 });
});

describe('properties', () => {
  const differences = fc.array(
    fc.integer({ min: -20, max: 20 }).map((step) => step / 20),
    { minLength: 1, maxLength: 30 },
  );

  test('exchanging the sides mirrors the answer', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const { n, delta, low, high, pWorse, pBetter, pTwo } = rounded(values);
        // A sum of 0 has no side to be mirrored to: its chances are drawn alike, not equal.
        fc.pre(delta !== 0);
        expect(rounded(values.map((value) => -value))).toEqual({
          n,
          delta: -delta,
          low: 0 - high,
          high: 0 - low,
          pWorse: pBetter,
          pBetter: pWorse,
          pTwo,
        });
      }),
    );
  });

  test('the order of cases changes nothing', () => {
    const orders = differences.chain((values) =>
      fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })),
    );
    fc.assert(
      fc.property(orders, ([values, shuffled]) => {
        expect(rounded(shuffled)).toEqual(rounded(values));
      }),
    );
  });

  test('the interval contains the difference, and excludes 0 exactly if the test does', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const { delta, low, high, pWorse, pBetter } = scoreDifference(values);
        expect(low).toBeLessThanOrEqual(delta + 1e-9);
        expect(high).toBeGreaterThanOrEqual(delta - 1e-9);
        if (high < 0) expect(pWorse).toBeLessThanOrEqual(0.025);
        if (low > 0) expect(pBetter).toBeLessThanOrEqual(0.025);
        if (pWorse > 0.026) expect(high).toBeGreaterThanOrEqual(0);
        if (pBetter > 0.026) expect(low).toBeLessThanOrEqual(0);
      }),
    );
  });
});
