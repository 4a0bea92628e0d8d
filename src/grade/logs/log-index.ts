// Where the results of a log are, a million of them in some 40 MB: hashes and offsets only, no strings.

import { hash96 } from '../../platform/hash.ts';

export type Place = { offset: number; length: number };

const KEY = /^[0-9a-f]{16}/;

/** Finds the line of a result by its key, and remembers which results were asked for. Open addressing; doubles when half full. */
export class LogIndex {
  size = 0;
  #capacity = 1024;
  #high = new Uint32Array(this.#capacity);
  #low = new Uint32Array(this.#capacity);
  #offsets = new Float64Array(this.#capacity);
  /** 0 marks a free slot. */
  #lengths = new Uint32Array(this.#capacity);
  #claimed = new Uint8Array(this.#capacity);

  /** A later result of the same attempt replaces the earlier one. */
  set(key: string, { offset, length }: Place): void {
    const [high, low] = halves(key);
    const slot = this.#find(high, low);
    if (this.#lengths[slot] === 0) this.size += 1;
    this.#put(slot, high, low, offset, length);
    if (this.size * 2 > this.#capacity) this.#grow();
  }

  get(key: string): Place | undefined {
    const slot = this.#find(...halves(key));
    const length = this.#lengths[slot] ?? 0;
    return length === 0 ? undefined : { offset: this.#offsets[slot] ?? 0, length };
  }

  /** Marks a result as used; false if there is none. */
  claim(key: string): boolean {
    const slot = this.#find(...halves(key));
    if (this.#lengths[slot] === 0) return false;
    this.#claimed[slot] = 1;
    return true;
  }

  /** The results that were not used, in the order of the log. */
  unclaimed(): Place[] {
    const places: Place[] = [];
    for (let slot = 0; slot < this.#capacity; slot += 1) {
      const length = this.#lengths[slot] ?? 0;
      if (length > 0 && this.#claimed[slot] === 0) places.push({ offset: this.#offsets[slot] ?? 0, length });
    }
    return places.sort((a, b) => a.offset - b.offset);
  }

  #find(high: number, low: number): number {
    const mask = this.#capacity - 1;
    let slot = high & mask;
    while (this.#lengths[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low))
      slot = (slot + 1) & mask;
    return slot;
  }

  #put(slot: number, high: number, low: number, offset: number, length: number): void {
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#offsets[slot] = offset;
    this.#lengths[slot] = length;
  }

  #grow(): void {
    const [high, low, offsets, lengths] = [this.#high, this.#low, this.#offsets, this.#lengths];
    this.#capacity *= 2;
    this.#high = new Uint32Array(this.#capacity);
    this.#low = new Uint32Array(this.#capacity);
    this.#offsets = new Float64Array(this.#capacity);
    this.#lengths = new Uint32Array(this.#capacity);
    // Nothing is claimed before the whole log is read.
    this.#claimed = new Uint8Array(this.#capacity);
    for (let slot = 0; slot < lengths.length; slot += 1) {
      const length = lengths[slot] ?? 0;
      if (length === 0) continue;
      const [first, second] = [high[slot] ?? 0, low[slot] ?? 0];
      this.#put(this.#find(first, second), first, second, offsets[slot] ?? 0, length);
    }
  }
}

/** Keys are hashes; other texts get one. */
function halves(key: string): [number, number] {
  const digits = KEY.test(key) ? key : hash96(key);
  return [Number.parseInt(digits.slice(0, 8), 16), Number.parseInt(digits.slice(8, 16), 16)];
}
