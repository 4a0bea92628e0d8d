import { expect, test } from 'vitest';
import { memoize } from './memoize.ts';

test('computes each result once and forgets the oldest', () => {
  const computed: string[] = [];
  const upper = memoize(
    (text: string) => {
      computed.push(text);
      return text.toUpperCase();
    },
    { size: 2 },
  );
  expect(['a', 'b', 'a', 'c', 'b', 'a'].map(upper)).toEqual(['A', 'B', 'A', 'C', 'B', 'A']);
  expect(computed).toEqual(['a', 'b', 'c', 'a']);
});

test('keeps no failure', () => {
  let tries = 0;
  const fragile = memoize(
    () => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return tries;
    },
    { size: 2 },
  );
  expect(() => fragile('x')).toThrow('not yet');
  expect([fragile('x'), fragile('x')]).toEqual([2, 2]);
});
