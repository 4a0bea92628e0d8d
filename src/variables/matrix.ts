// Several values for several variables: all combinations, or a selection that still has every pair of values.

import type { TestVariableValue } from '../model/variables.ts';
import { coverFreely, coverWithin } from './cover-pairs.ts';

/** A variable and the values it is given. */
export type Dimension = { name: string; values: readonly TestVariableValue[] };

/** One value for each variable. */
export type Combination = Record<string, TestVariableValue>;

/** Up to this number, all combinations are enumerated to find the allowed ones. */
const MAX_ENUMERATED = 5_000;

/** All combinations; the last variable changes fastest. */
export function* combinations(dimensions: readonly Dimension[]): Generator<Combination> {
  for (const row of enumerateRows(dimensions)) yield toCombination(row, dimensions);
}

/**
 * Selects a few combinations, in order, that cover every pair of values of two variables that is possible in an allowed
 * combination. With very many combinations, a pair that is rarely allowed may be missing.
 */
export function pairwise(
  dimensions: readonly Dimension[],
  isAllowed?: (combination: Combination) => boolean,
): Combination[] {
  const sizes = dimensions.map(({ values }) => values.length);
  const isFine =
    isAllowed && ((row: readonly number[]): boolean => isAllowed(toCombination(row, dimensions)));
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count === 0) return [];
  const isListed = sizes.length < 2 || (isFine !== undefined && count <= MAX_ENUMERATED);
  const rows = isListed
    ? coverWithin(
        [...enumerateRows(dimensions)].filter((row) => isFine?.(row) !== false),
        sizes,
      )
    : coverFreely(sizes, isFine);
  return rows.sort(compareRows).map((row) => toCombination(row, dimensions));
}

/** All combinations as rows of value indexes. */
function* enumerateRows(dimensions: readonly Dimension[]): Generator<number[]> {
  if (dimensions.some(({ values }) => values.length === 0)) return;
  const row = dimensions.map(() => 0);
  for (;;) {
    yield [...row];
    // Count up like an odometer: a column at its last value restarts, and the column before it advances.
    let at = dimensions.length - 1;
    while (at >= 0 && row[at] === (dimensions[at]?.values.length ?? 0) - 1) {
      row[at] = 0;
      at -= 1;
    }
    if (at < 0) return;
    row[at] = (row[at] ?? 0) + 1;
  }
}

function toCombination(row: readonly number[], dimensions: readonly Dimension[]): Combination {
  return Object.fromEntries(
    dimensions.flatMap(({ name, values }, index) => {
      const value = values[row[index] ?? 0];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function compareRows(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
