/** The smallest keys of a stream with a value each, at most `count` of them. */
export type Bottom<Value> = {
  /** The value of a key, made if the key is new; undefined if it is not one of the smallest. */
  at(key: number, make: () => Value): Value | undefined;
  entries(): Map<number, Value>;
};

/** Takes memory for `count` keys; a key costs the logarithm of that at most. */
export function createBottom<Value>(count: number): Bottom<Value> {
  const values = new Map<number, Value>();
  /** A heap with the largest key first. */
  const heap: number[] = [];
  return {
    at(key, make) {
      const known = values.get(key);
      if (known !== undefined) return known;
      if (heap.length < count) rise(heap, key);
      else {
        const largest = heap[0];
        if (largest === undefined || key > largest) return undefined;
        values.delete(largest);
        sink(heap, key);
      }
      const value = make();
      values.set(key, value);
      return value;
    },
    entries: () => values,
  };
}

/** Adds a key at the end and moves it up. */
function rise(heap: number[], key: number): void {
  let place = heap.length;
  heap.push(key);
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent] ?? Infinity;
    if (above >= key) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = key;
}

/** Replaces the largest key and moves the new one down. */
function sink(heap: number[], key: number): void {
  let place = 0;
  for (;;) {
    const left = 2 * place + 1;
    const right = left + 1;
    const larger = (heap[right] ?? -1) > (heap[left] ?? -1) ? right : left;
    const below = heap[larger];
    if (below === undefined || below <= key) break;
    heap[place] = below;
    place = larger;
  }
  heap[place] = key;
}
