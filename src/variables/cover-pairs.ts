// Few rows that have every pair of values of two columns. A row has one value for each column: numbers from 0 to below the column's size.

type Row = readonly number[];

/** So many rows are made, and the best of them is taken. */
const CANDIDATES = 24;
/** So many rows are made for a pair until one of them is allowed. */
const TRIES = 200;

/** Chooses from these rows until every pair that is in one of them is in one of those chosen. */
export function coverWithin(rows: readonly number[][], sizes: Row): number[][] {
  if (sizes.length < 2) return [...rows];
  const open = createPairs(sizes, 0);
  for (const row of rows) open.set(row, 1);
  const chosen: number[][] = [];
  // What a row gains only ever gets less, so that the best one found so far need not be looked for among those known to gain less.
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

/** Makes rows until every pair is in one of them; pairs for which no allowed row is found are left out. */
export function coverFreely(sizes: Row, isAllowed: (row: Row) => boolean = () => true): number[][] {
  const open = createPairs(sizes, 1);
  const random = createRandom();
  const chosen: number[][] = [];
  for (let pair = open.first(); pair !== undefined; pair = open.first()) {
    let best: { row: number[]; gain: number } | undefined;
    for (let tries = 0; tries < (best === undefined ? TRIES : CANDIDATES); tries += 1) {
      const row = rowWith(pair, sizes, { open, random, isFree: tries >= TRIES / 2 });
      const gain = open.gain(row);
      if (gain > (best?.gain ?? 0) && isAllowed(row)) best = { row, gain };
    }
    if (best !== undefined) chosen.push(best.row);
    open.set(best?.row ?? pair, 0);
  }
  return chosen;
}

/**
 * A row that has the pair, filled column by column, in any order, with the value that brings most pairs; or with any value if
 * it `isFree`, because what brings most has turned out not to be allowed.
 */
function rowWith(
  pair: Row,
  sizes: Row,
  { open, random, isFree }: { open: Pairs; random: (below: number) => number; isFree: boolean },
): number[] {
  const row = [...pair];
  for (const column of shuffled(sizes.length, random)) {
    if (row[column] !== NOTHING) continue;
    const size = sizes[column] ?? 1;
    // Where several are equally good, it is not always the first one.
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

/** A column of a row that has no value yet. */
const NOTHING = -1;

/** Which pairs of values are marked. */
type Pairs = {
  /** Marks all pairs of a row, or takes their marks away. */
  set(row: Row, mark: 0 | 1): void;
  /** How many marked pairs a row has. */
  gain(row: Row): number;
  /** How many of them have the value of this column. */
  gainAt(row: Row, column: number): number;
  /** A row that has a marked pair and nothing else. */
  first(): number[] | undefined;
};

function createPairs(sizes: Row, mark: 0 | 1): Pairs {
  const count = sizes.length;
  // The tables of every two columns, one after the other.
  const starts = new Int32Array(count * count);
  let length = 0;
  for (let a = 0; a < count; a += 1) {
    for (let b = a + 1; b < count; b += 1) {
      starts[a * count + b] = length;
      length += (sizes[a] ?? 0) * (sizes[b] ?? 0);
    }
  }
  const marks = new Uint8Array(length).fill(mark);
  /** Nothing before it is marked: marks only go away once rows are chosen. */
  let from = 0;

  /** Where the pair of these columns is, the first of which is the left one. */
  function placeOf(row: Row, a: number, b: number): number {
    const x = row[a] ?? NOTHING;
    const y = row[b] ?? NOTHING;
    if (x === NOTHING || y === NOTHING) return NOTHING;
    return (starts[a * count + b] ?? 0) + x * (sizes[b] ?? 0) + y;
  }

  return {
    set(row, value) {
      for (let a = 0; a < count; a += 1) {
        for (let b = a + 1; b < count; b += 1) {
          const place = placeOf(row, a, b);
          if (place !== NOTHING) marks[place] = value;
        }
      }
    },
    gain(row) {
      let gain = 0;
      for (let a = 0; a < count; a += 1) {
        for (let b = a + 1; b < count; b += 1) gain += marks[placeOf(row, a, b)] ?? 0;
      }
      return gain;
    },
    gainAt(row, column) {
      let gain = 0;
      for (let other = 0; other < column; other += 1) gain += marks[placeOf(row, other, column)] ?? 0;
      for (let other = column + 1; other < count; other += 1) gain += marks[placeOf(row, column, other)] ?? 0;
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
          const row = sizes.map(() => NOTHING);
          row[a] = Math.floor(index / size);
          row[b] = index % size;
          return row;
        }
      }
      return undefined;
    },
  };
}

function shuffled(count: number, random: (below: number) => number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    const kept = order[at] ?? 0;
    order[at] = order[other] ?? 0;
    order[other] = kept;
  }
  return order;
}

/** The same numbers every time (xorshift), so that the same rows come out. */
function createRandom(): (below: number) => number {
  let state = 0x9e3779b9;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
