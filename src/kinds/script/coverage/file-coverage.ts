// Counts of the statements, functions and branches of one source file, in Istanbul's format.

export type Position = { line: number; column: number };
/** Both ends are empty for a missing `else`. */
export type Range = { start: Position; end: Position };
type CoveredFunction = { name: string; decl: Range; loc: Range; line: number };
type Branch = { loc: Range; type: string; locations: Range[]; line: number };

export type FileCoverage = {
  path: string;
  statementMap: Record<string, Range>;
  fnMap: Record<string, CoveredFunction>;
  branchMap: Record<string, Branch>;
  /** Counts by the keys of the maps. */
  s: Record<string, number>;
  f: Record<string, number>;
  b: Record<string, number[]>;
};

/**
 * Adds up the counts of several bundles for the same file. Items are matched by their range, because a bundle may lack some
 * and numbers them in its own order.
 */
export function mergeFileCoverage(path: string, parts: readonly FileCoverage[]): FileCoverage {
  const statements = mergeItems(
    parts.map(({ statementMap, s }) => ({ items: statementMap, counts: s })),
    (range) => range,
    (left, right) => left + right,
  );
  const functions = mergeItems(
    parts.map(({ fnMap, f }) => ({ items: fnMap, counts: f })),
    ({ loc }) => loc,
    (left, right) => left + right,
  );
  const branches = mergeItems(
    parts.map(({ branchMap, b }) => ({ items: branchMap, counts: b })),
    ({ loc }) => loc,
    (left, right) => left.map((count, index) => count + (right[index] ?? 0)),
  );
  return {
    path,
    statementMap: numbered(statements.map(({ item }) => item)),
    fnMap: numbered(functions.map(({ item }, index) => ({ ...item, name: functionName(item, index) }))),
    branchMap: numbered(branches.map(({ item }) => item)),
    s: numbered(statements.map(({ count }) => count)),
    f: numbered(functions.map(({ count }) => count)),
    b: numbered(branches.map(({ count }) => count)),
  };
}

type Items<Item, Count> = { items: Record<string, Item>; counts: Record<string, Count> };

function mergeItems<Item, Count>(
  parts: readonly Items<Item, Count>[],
  rangeOf: (item: Item) => Range,
  add: (left: Count, right: Count) => Count,
): { item: Item; count: Count }[] {
  const merged = new Map<string, { item: Item; count: Count }>();
  for (const { items, counts } of parts) {
    for (const [id, item] of Object.entries(items)) {
      const count = counts[id];
      if (count === undefined) continue;
      const key = JSON.stringify(rangeOf(item));
      const known = merged.get(key);
      merged.set(key, { item, count: known === undefined ? count : add(known.count, count) });
    }
  }
  return [...merged.values()].sort((left, right) => compare(rangeOf(left.item), rangeOf(right.item)));
}

/** Sorts by start; of two ranges with the same start, the outer one first. */
function compare(left: Range, right: Range): number {
  return comparePositions(left.start, right.start) || comparePositions(right.end, left.end);
}

function comparePositions(left: Position, right: Position): number {
  return left.line - right.line || left.column - right.column;
}

function functionName({ name }: CoveredFunction, index: number): string {
  return /^\(anonymous_\d+\)$/.test(name) ? `(anonymous_${String(index)})` : name;
}

function numbered<T>(items: readonly T[]): Record<string, T> {
  return Object.fromEntries(items.entries());
}
