import { expect, test } from 'vitest';
import { lossIn } from './json-loss.ts';

class Point {
  x = 1;
}

test.each([
  [{ assert: () => false }, 'assert is a function, which cannot be written as JSON'],
  [{ a: [{ b: Symbol('x') }] }, 'a[0].b is a symbol, which cannot be written as JSON'],
  [{ n: NaN }, 'n is NaN, which cannot be written as JSON'],
  [{ n: 10n }, 'n is a large integer, which cannot be written as JSON'],
  [{ m: new Map() }, 'm is an object of the class Map, which cannot be written as JSON'],
  [{ r: /x/ }, 'r is an object of the class RegExp, which cannot be written as JSON'],
  [new Point(), 'it is an object of the class Point, which cannot be written as JSON'],
  [{ a: [1, 'x', null, true, { b: undefined }], d: new Date(0) }, undefined],
  [Object.create(null), undefined],
])('%o', (value, expected) => {
  expect(lossIn(value)).toBe(expected);
});
