import { expect, test } from 'vitest';
import { likeThese, rankAll, rankModels } from './models.ts';
import { moreRunsOfBoth } from './more-runs-of-both.ts';
import type { PairedCounts } from './paired-cases.ts';

/** `count` cases with these passes before and after, of `runs` each. */
const equal = (count: number, xa: number, xb: number, runs: number): PairedCounts[] =>
  Array.from({ length: count }, () => ({ xa, ra: runs, xb, rb: runs }));

const rivals = (cases: PairedCounts[]) => ({
  rates: [
    cases.reduce((sum, { xa, ra }) => sum + xa / ra, 0) / cases.length,
    cases.reduce((sum, { xb, rb }) => sum + xb / rb, 0) / cases.length,
  ],
  pair: () => cases,
});

/** A difference that one pair alone proves, but not one of two. */
const SLIGHT = [...equal(5, 3, 2, 3), ...equal(25, 3, 3, 3)];
const NONE = equal(30, 3, 3, 3);

test('the correction goes over the pairs of all sets', () => {
  const [alone] = rankAll([rivals(SLIGHT)]);
  const [first, second] = rankAll([rivals(SLIGHT), rivals(NONE)]);
  expect([alone?.pairs[0]?.adjusted, alone?.pairs[0]?.p]).toEqual([alone?.pairs[0]?.p, alone?.pairs[0]?.p]);
  expect(first?.pairs[0]?.adjusted).toBeCloseTo(2 * (first?.pairs[0]?.p ?? 0), 10);
  expect(second).toMatchObject({
    clear: false,
    ranks: [
      [1, 2],
      [1, 2],
    ],
    perhapsBest: [0, 1],
  });
});

test('a clear leader is the only one that may be best, whatever the correction leaves open', () => {
  const [first] = rankAll([rivals(SLIGHT), rivals(NONE)]);
  expect(first?.pairs[0]?.adjusted).toBeGreaterThan(0.05);
  expect(first).toMatchObject({
    leader: 0,
    clear: true,
    ranks: [
      [1, 1],
      [2, 2],
    ],
    perhapsBest: [0],
  });
});

test('a leader that loses where both were measured is not clear', () => {
  const passed = { x: 3, r: 3 };
  const failed = { x: 0, r: 3 };
  const none = { x: 0, r: 0 };
  const both = Array.from({ length: 10 }, () => [failed, passed] as const);
  const alone = Array.from({ length: 100 }, () => [passed, none] as const);
  const cases = [...both, ...alone, [none, failed] as const, [none, failed] as const];
  const results = [cases.map(([a]) => a), cases.map(([, b]) => b)];
  expect(rankModels(results)).toMatchObject({ leader: 0, clear: false });
});

test('related cases count as one for cases like these', () => {
  const cases = [...equal(5, 3, 0, 3), ...equal(5, 3, 3, 3)];
  const groups = cases.map((_, at) => (at < 5 ? 0 : 1));
  expect(likeThese(cases).pTwo).toBeLessThan(0.02);
  const { delta, pTwo } = likeThese(cases, { groups });
  expect([delta, pTwo.toFixed(6)]).toEqual([-0.5, '0.500000']);
  expect(likeThese(cases, { groups: cases.map(() => 7) })).toMatchObject({ low: -1, high: 1, pTwo: 1 });
});

test('more runs decide against noise, not against differences between cases', () => {
  const noisy = [...equal(20, 2, 1, 2), ...equal(20, 2, 2, 2), ...equal(10, 1, 1, 2), ...equal(3, 1, 2, 2)];
  expect(moreRunsOfBoth(noisy)).toBe(1);
  // Half of the cases are surely better with one, nearly as many with the other.
  const mixed = [...equal(12, 10, 0, 10), ...equal(10, 0, 10, 10)];
  expect(moreRunsOfBoth(mixed)).toBe(undefined);
  expect(moreRunsOfBoth(NONE)).toBe(undefined);
  expect(moreRunsOfBoth(equal(1, 3, 0, 3))).toBe(undefined);
});
