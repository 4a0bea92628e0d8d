import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdSet } from './id-set.ts';

test('remembers the line of every id, through growth', () => {
  const ids = createIdSet();
  const count = 200_000;
  let wrong = 0;
  for (let index = 1; index <= count; index++) {
    if (ids.add(`case-${index}`, index) !== undefined) wrong++;
  }
  for (let index = 1; index <= count; index++) {
    if (ids.add(`case-${index}`, count + index) !== index) wrong++;
  }
  expect(wrong).toBe(0);
});

test('finds what a Map finds', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (words) => {
      const ids = createIdSet();
      const known = new Map<string, number>();
      words.forEach((word, index) => {
        expect(ids.add(word, index + 1)).toBe(known.get(word));
        if (!known.has(word)) known.set(word, index + 1);
      });
    }),
  );
});
