// Several values for several variables: all combinations, or a selection that still has every pair of values.

import type { TestVariableValue } from '../model/variables.ts';
import { coverFreely, coverWithin } from './cover-pairs.ts';

/** A variable and the values it is given. */
export type Dimension = { name: string; values: readonly TestVariableValue[] };

/** One value for each variable. */
export type Combination = Record<string, TestVariableValue>;

/** Up to so many combinations are looked at one by one to find those that are allowed. */
const ENUMERATED = 5_000;

/** All combinations; the values of the last variable change first. */
export function* combinations(dimensions: readonly Dimension[]): Generator<Combination> {
  for (const row of rowsOf(dimensions)) yield combinationOf(row, dimensions);
}

/**
 * A small selection of the combinations, in their order: two values of two variables that occur together in any of those allowed
 * occur together in one of those chosen. Of very many combinations, a pair that is hardly ever allowed may be missing.
 */
export function pairwise(
  dimensions: readonly Dimension[],
  isAllowed?: (combination: Combination) => boolean,
): Combination[] {
  const sizes = dimensions.map(({ values }) => values.length);
  const isFine =
    isAllowed && ((row: readonly number[]): boolean => isAllowed(combinationOf(row, dimensions)));
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count === 0) return [];
  const isListed = sizes.length < 2 || (isFine !== undefined && count <= ENUMERATED);
  const rows = isListed
    ? coverWithin(
        [...rowsOf(dimensions)].filter((row) => isFine?.(row) !== false),
        sizes,
      )
    : coverFreely(sizes, isFine);
  return rows.sort(inOrder).map((row) => combinationOf(row, dimensions));
}

/** Combinations as the places of their values. */
function* rowsOf(dimensions: readonly Dimension[]): Generator<number[]> {
  if (dimensions.some(({ values }) => values.length === 0)) return;
  const row = dimensions.map(() => 0);
  for (;;) {
    yield [...row];
    // Like a counter: what is at its last value begins again, and the one before it goes on.
    let at = dimensions.length - 1;
    while (at >= 0 && row[at] === (dimensions[at]?.values.length ?? 0) - 1) {
      row[at] = 0;
      at -= 1;
    }
    if (at < 0) return;
    row[at] = (row[at] ?? 0) + 1;
  }
}

function combinationOf(row: readonly number[], dimensions: readonly Dimension[]): Combination {
  return Object.fromEntries(
    dimensions.flatMap(({ name, values }, index) => {
      const value = values[row[index] ?? 0];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function inOrder(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
