import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Combination, Dimension } from './matrix.ts';
import { combinations, pairwise } from './matrix.ts';

/** Dimensions of these sizes: `{ name: 'v0', values: [0, 1, 2] }`. */
function dimensionsOf(...sizes: number[]): Dimension[] {
  return sizes.map((size, index) => ({
    name: `v${index}`,
    values: Array.from({ length: size }, (_, value) => value),
  }));
}

/** All pairs of values of two variables that are in these combinations. */
function pairsOf(rows: Iterable<Combination>): Set<string> {
  const pairs = new Set<string>();
  for (const row of rows) {
    const entries = Object.entries(row).map(([name, value]) => `${name}=${String(value)}`);
    entries.forEach((a, index) => entries.slice(index + 1).forEach((b) => pairs.add(`${a} ${b}`)));
  }
  return pairs;
}

test('all combinations, the last variable changes first', () => {
  const day = new Date('2026-01-31');
  const dimensions = [
    { name: 'Language', values: ['de', 'en'] },
    { name: 'Day', values: [day] },
    { name: 'Temperature', values: [0, 0.7] },
  ];
  expect([...combinations(dimensions)]).toEqual([
    { Language: 'de', Day: day, Temperature: 0 },
    { Language: 'de', Day: day, Temperature: 0.7 },
    { Language: 'en', Day: day, Temperature: 0 },
    { Language: 'en', Day: day, Temperature: 0.7 },
  ]);
});

test.each([
  ['no variable', [], [{}]],
  ['a variable without values', [{ name: 'a', values: [] }], []],
  ['one variable', [{ name: 'a', values: [3, 1, 2] }], [{ a: 3 }, { a: 1 }, { a: 2 }]],
])('%s', (_, dimensions: Dimension[], all) => {
  expect([...combinations(dimensions)]).toEqual(all);
  expect(pairwise(dimensions)).toEqual(all);
  expect(pairwise(dimensions, () => true)).toEqual(all);
  expect(pairwise(dimensions, () => false)).toEqual([]);
});

test('pairs of two variables are all combinations', () => {
  expect(pairwise(dimensionsOf(2, 3))).toEqual([...combinations(dimensionsOf(2, 3))]);
});

test('pairs of three variables with two values', () => {
  expect(pairwise(dimensionsOf(2, 2, 2))).toEqual([
    { v0: 0, v1: 0, v2: 0 },
    { v0: 0, v1: 1, v2: 1 },
    { v0: 1, v1: 0, v2: 1 },
    { v0: 1, v1: 1, v2: 0 },
  ]);
});

test.each([
  [[3, 3, 3, 3], 12],
  [Array.from({ length: 10 }, () => 4), 39],
  [Array.from({ length: 20 }, () => 2), 12],
  [[5, 4, 3, 2, 2, 2], 26],
])('values %j need at most %i combinations', (sizes, most) => {
  const dimensions = dimensionsOf(...sizes);
  const begin = performance.now();
  const rows = pairwise(dimensions);
  expect(performance.now() - begin).toBeLessThan(200);
  expect(rows.length).toBeLessThanOrEqual(most);
  expect(pairwise(dimensions, () => true).length).toBeLessThanOrEqual(most);
  expect(pairsOf(rows).size).toBe(
    sizes.flatMap((a, index) => sizes.slice(index + 1).map((b) => a * b)).reduce((sum, count) => sum + count),
  );
});

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 });

test('every pair is there, every time the same, whatever the sizes', () => {
  fc.assert(
    fc.property(sizes, (some) => {
      const dimensions = dimensionsOf(...some);
      const all = [...combinations(dimensions)];
      const rows = pairwise(dimensions);
      expect(pairsOf(rows)).toEqual(pairsOf(all));
      expect(rows).toEqual(pairwise(dimensions));
      expect(all.map((row) => JSON.stringify(row))).toEqual(
        expect.arrayContaining(rows.map((row) => JSON.stringify(row))),
      );
      expect(rows.length).toBe(new Set(rows.map((row) => JSON.stringify(row))).size);
    }),
    { numRuns: 60 },
  );
});

test('every pair that is ever allowed is there, and nothing that is not', () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 2, max: 7 }), fc.nat(6), (some, modulus, rest) => {
      const dimensions = dimensionsOf(...some);
      const isAllowed = (row: Combination): boolean =>
        Object.values(row).reduce((sum: number, value, index) => sum + Number(value) * (index + 1), 0) %
          modulus !==
        rest % modulus;
      const rows = pairwise(dimensions, isAllowed);
      expect(rows.filter((row) => !isAllowed(row))).toEqual([]);
      expect(pairsOf(rows)).toEqual(pairsOf([...combinations(dimensions)].filter(isAllowed)));
    }),
    { numRuns: 60 },
  );
});

test('of more combinations than can be listed, only allowed ones are chosen', () => {
  const dimensions = dimensionsOf(...Array.from({ length: 10 }, () => 4));
  const isAllowed = ({ v0, v1, v2 }: Combination): boolean => !(v0 === 1 && v1 !== 2) && v2 !== 3;
  const rows = pairwise(dimensions, isAllowed);
  expect(rows.filter((row) => !isAllowed(row))).toEqual([]);
  // Of 720 pairs, three are not allowed because of the first rule, and 36 because of the second.
  expect(pairsOf(rows).size).toBe(720 - 3 - 36);
  expect(rows.length).toBeLessThan(45);
  expect(pairwise(dimensions, isAllowed)).toEqual(rows);
});
