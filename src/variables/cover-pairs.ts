// Finds few rows that cover every pair of values of two columns. A row has one value per column: 0 to size - 1.

type Row = readonly number[];

/** Number of candidate rows to choose the best from. */
const CANDIDATES = 24;
/** Maximum number of candidate rows for a pair until one of them is allowed. */
const TRIES = 200;

/** Chooses from the given rows until the chosen ones cover every pair that occurs in any row. */
export function coverWithin(rows: readonly number[][], sizes: Row): number[][] {
  if (sizes.length < 2) return [...rows];
  const open = createPairs(sizes, 0);
  for (const row of rows) open.set(row, 1);
  const chosen: number[][] = [];
  // The gain of a row never grows, so candidates whose last known gain is not above the best one are skipped.
  let candidates = rows.map((row) => ({ row, gain: open.gain(row) }));
  while (candidates.length > 0) {
    let best: { row: number[]; gain: number } | undefined;
    for (const candidate of candidates) {
      if (best !== undefined && candidate.gain <= best.gain) continue;
      candidate.gain = open.gain(candidate.row);
      if (candidate.gain > (best?.gain ?? 0)) best = candidate;
    }
    if (best === undefined) break;
    chosen.push(best.row);
    open.set(best.row, 0);
    candidates = candidates.filter(({ gain }) => gain > 0);
  }
  return chosen;
}

/** Generates rows until every pair is covered; leaves out pairs for which no allowed row is found. */
export function coverFreely(sizes: Row, isAllowed: (row: Row) => boolean = () => true): number[][] {
  const open = createPairs(sizes, 1);
  const random = createRandom();
  const chosen: number[][] = [];
  for (let pair = open.first(); pair !== undefined; pair = open.first()) {
    let best: { row: number[]; gain: number } | undefined;
    for (let tries = 0; tries < (best === undefined ? TRIES : CANDIDATES); tries += 1) {
      const row = fillRow(pair, sizes, { open, random, isFree: tries >= TRIES / 2 });
      const gain = open.gain(row);
      if (gain > (best?.gain ?? 0) && isAllowed(row)) best = { row, gain };
    }
    if (best !== undefined) chosen.push(best.row);
    open.set(best?.row ?? pair, 0);
  }
  return chosen;
}

/**
 * Fills a row that starts with the pair, column by column in random order, with the value that covers most new pairs.
 * With `isFree` it takes random values, because the best values turned out not to be allowed.
 */
function fillRow(
  pair: Row,
  sizes: Row,
  { open, random, isFree }: { open: Pairs; random: (limit: number) => number; isFree: boolean },
): number[] {
  const row = [...pair];
  for (const column of shuffled(sizes.length, random)) {
    if (row[column] !== UNSET) continue;
    const size = sizes[column] ?? 1;
    // A random start avoids always preferring the first of equally good values.
    const from = random(size);
    let best = { value: from, gain: -1 };
    for (let step = 0; step < (isFree ? 0 : size); step += 1) {
      const value = (from + step) % size;
      row[column] = value;
      const gain = open.gainAt(row, column);
      if (gain > best.gain) best = { value, gain };
    }
    row[column] = best.value;
  }
  return row;
}

/** Marks a column without a value. */
const UNSET = -1;

/** A set of marked pairs of values. */
type Pairs = {
  /** Marks or unmarks all pairs of a row. */
  set(row: Row, mark: 0 | 1): void;
  /** Number of marked pairs in a row. */
  gain(row: Row): number;
  /** Number of marked pairs in a row that include this column. */
  gainAt(row: Row, column: number): number;
  /** A row that has only the first marked pair. */
  first(): number[] | undefined;
};

/** The start of the table of each pair of columns; the tables are stored one after the other. */
function layOutTables(sizes: Row): { starts: Int32Array; length: number } {
  const count = sizes.length;
  const starts = new Int32Array(count * count);
  let length = 0;
  for (let a = 0; a < count; a += 1) {
    for (let b = a + 1; b < count; b += 1) {
      starts[a * count + b] = length;
      length += (sizes[a] ?? 0) * (sizes[b] ?? 0);
    }
  }
  return { starts, length };
}

function createPairs(sizes: Row, mark: 0 | 1): Pairs {
  const count = sizes.length;
  const { starts, length } = layOutTables(sizes);
  const marks = new Uint8Array(length).fill(mark);
  /** No pair before this index is marked: once rows are chosen, marks are only removed. */
  let from = 0;

  /** The index of the pair of columns `a` and `b`, where `a` is left of `b`. */
  function pairIndex(row: Row, a: number, b: number): number {
    const x = row[a] ?? UNSET;
    const y = row[b] ?? UNSET;
    if (x === UNSET || y === UNSET) return UNSET;
    return (starts[a * count + b] ?? 0) + x * (sizes[b] ?? 0) + y;
  }

  return {
    set(row, value) {
      for (let a = 0; a < count; a += 1) {
        for (let b = a + 1; b < count; b += 1) {
          const index = pairIndex(row, a, b);
          if (index !== UNSET) marks[index] = value;
        }
      }
    },
    gain(row) {
      let gain = 0;
      for (let a = 0; a < count; a += 1) {
        for (let b = a + 1; b < count; b += 1) gain += marks[pairIndex(row, a, b)] ?? 0;
      }
      return gain;
    },
    gainAt(row, column) {
      let gain = 0;
      for (let other = 0; other < column; other += 1) gain += marks[pairIndex(row, other, column)] ?? 0;
      for (let other = column + 1; other < count; other += 1)
        gain += marks[pairIndex(row, column, other)] ?? 0;
      return gain;
    },
    first() {
      from = marks.indexOf(1, from);
      if (from === -1) return undefined;
      for (let a = 0; a < count; a += 1) {
        for (let b = a + 1; b < count; b += 1) {
          const size = sizes[b] ?? 1;
          const index = from - (starts[a * count + b] ?? 0);
          if (index >= (sizes[a] ?? 0) * size) continue;
          const row = sizes.map(() => UNSET);
          row[a] = Math.floor(index / size);
          row[b] = index % size;
          return row;
        }
      }
      return undefined;
    },
  };
}

function shuffled(count: number, random: (limit: number) => number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    const kept = order[at] ?? 0;
    order[at] = order[other] ?? 0;
    order[other] = kept;
  }
  return order;
}

/** A xorshift generator with a fixed seed, so that the result is always the same. */
function createRandom(): (limit: number) => number {
  let state = 0x9e3779b9;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
