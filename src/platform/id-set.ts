// Which ids were seen before, a million of them in some 25 MB: hashes and lines only, no strings.

/** Remembers ids by a 64-bit hash; a hit is almost surely, but not certainly, the same id. */
export type IdSet = {
  /** The line the id was first seen on; otherwise it is remembered with `line` and nothing is returned. */
  add(id: string, line: number): number | undefined;
};

const EMPTY = 0;

/** Creates an open-addressing set that doubles when it is over half full. */
export function createIdSet(): IdSet {
  let capacity = 1024;
  let high = new Uint32Array(capacity);
  let low = new Uint32Array(capacity);
  // Lines count from 1, so 0 marks a free slot.
  let lines = new Uint32Array(capacity);
  let size = 0;

  return { add };

  function add(id: string, line: number): number | undefined {
    const [first, second] = hash(id);
    const slot = find(first, second);
    const known = lines[slot] ?? EMPTY;
    if (known !== EMPTY) return known;
    put(slot, first, second, line);
    size++;
    if (size * 2 > capacity) grow();
    return undefined;
  }

  function find(first: number, second: number): number {
    const mask = capacity - 1;
    let slot = first & mask;
    while (lines[slot] !== EMPTY && (high[slot] !== first || low[slot] !== second)) slot = (slot + 1) & mask;
    return slot;
  }

  function put(slot: number, first: number, second: number, line: number): void {
    high[slot] = first;
    low[slot] = second;
    lines[slot] = line;
  }

  function grow(): void {
    const [oldHigh, oldLow, oldLines] = [high, low, lines];
    capacity *= 2;
    high = new Uint32Array(capacity);
    low = new Uint32Array(capacity);
    lines = new Uint32Array(capacity);
    for (let slot = 0; slot < oldLines.length; slot++) {
      const line = oldLines[slot] ?? EMPTY;
      if (line === EMPTY) continue;
      const first = oldHigh[slot] ?? 0;
      const second = oldLow[slot] ?? 0;
      put(find(first, second), first, second, line);
    }
  }
}

const pair: [number, number] = [0, 0];

/** Two independent multiplicative hashes over the UTF-16 units; the pair is reused from call to call. */
function hash(text: string): readonly [number, number] {
  let first = 0x811c9dc5 ^ text.length;
  let second = 0x9e3779b9;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x85ebca6b);
    first ^= first >>> 15;
    second = Math.imul(second ^ unit, 0xc2b2ae35);
    second ^= second >>> 13;
  }
  pair[0] = (first ^ Math.imul(second, 0x27d4eb2f)) >>> 0;
  pair[1] = (second ^ Math.imul(first, 0x165667b1)) >>> 0;
  return pair;
}
