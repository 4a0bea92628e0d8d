import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findUnmatched } from './matching.ts';

const fits = (left: string, right: string) => left.includes(right);

test.each<[string, string[], string[], { lefts: number[]; rights: number[] }]>([
  ['nothing', [], [], { lefts: [], rights: [] }],
  ['everybody in turn', ['a', 'b'], ['b', 'a'], { lefts: [], rights: [] }],
  ['one that has to give up its partner', ['ab', 'a'], ['a', 'b'], { lefts: [], rights: [] }],
  ['a chain of three', ['ab', 'bc', 'a'], ['a', 'b', 'c'], { lefts: [], rights: [] }],
  ['the later of two that want the same', ['a', 'a'], ['a', 'b'], { lefts: [1], rights: [1] }],
  ['more on the right', ['a'], ['a', 'a'], { lefts: [], rights: [1] }],
])('leaves over: %s', (_name, lefts, rights, expected) => {
  expect(findUnmatched(lefts, rights, fits)).toEqual(expected);
});

test('nobody is left over who could be paired, as trying all ways shows', () => {
  const matrix = fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), { maxLength: 5 });
  fc.assert(
    fc.property(matrix, (rows) => {
      const columns = [0, 1, 2, 3, 4];
      const { lefts, rights } = findUnmatched(rows, columns, (row, column) => row[column] === true);
      const most = mostPairs(rows, columns);
      expect({ lefts: lefts.length, rights: rights.length }).toEqual({
        lefts: rows.length - most,
        rights: columns.length - most,
      });
    }),
  );
});

test('a long list of the same takes no deep recursion', () => {
  const same = Array.from({ length: 1000 }, () => 'a');
  expect(findUnmatched(same, same, fits)).toEqual({ lefts: [], rights: [] });
});

function mostPairs([row, ...rest]: boolean[][], columns: number[]): number {
  if (row === undefined) return 0;
  const ways = columns
    .filter((column) => row[column] === true)
    .map(
      (column) =>
        1 +
        mostPairs(
          rest,
          columns.filter((other) => other !== column),
        ),
    );
  return Math.max(mostPairs(rest, columns), ...ways);
}
