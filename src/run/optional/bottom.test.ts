import { expect, test } from 'vitest';
import { createBottom } from './bottom.ts';

test('keeps the smallest keys of a stream, each with one value', () => {
  const keys = Array.from({ length: 5000 }, (_, index) => (index * 7919) % 5003);
  for (const count of [1, 2, 37, 5000, 6000]) {
    const bottom = createBottom<{ seen: number }>(count);
    for (const key of [...keys, ...keys]) {
      const value = bottom.at(key, () => ({ seen: 0 }));
      if (value !== undefined) value.seen += 1;
    }
    const smallest = keys.toSorted((a, b) => a - b).slice(0, count);
    expect([...bottom.entries().keys()].toSorted((a, b) => a - b)).toEqual(smallest);
  }
});
