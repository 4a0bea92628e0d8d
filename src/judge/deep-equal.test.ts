import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pickExpectedKeys, deepEqual, isSuperset } from './deep-equal.ts';

test.each<[string, unknown, unknown, boolean]>([
  ['key order is free', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['element order is not', [1, 2], [2, 1], false],
  ['0 and -0', { a: 0 }, { a: -0 }, true],
  ['a number and its text', 1, '1', false],
  ['null and an empty object', null, {}, false],
  ['an array and an object', [], {}, false],
  ['an object and an array-like', ['x'], { 0: 'x', length: 1 }, false],
  ['a missing and a null key', { a: null }, {}, false],
  ['an undefined key', { a: 1, b: undefined }, { a: 1 }, true],
  ['as many keys, but others', { a: 1, b: 2 }, { a: 1, c: 2 }, false],
  ['an inherited key', {}, JSON.parse('{"constructor": 1}'), false],
  ['a __proto__ key', JSON.parse('{"__proto__": 1}'), {}, false],
  ['composed and decomposed letters', 'é', 'e\u0301', false],
  ['NaN', [Number.NaN], [Number.NaN], true],
  ['lists of different length', [1], [1, undefined], false],
])('deepEqual: %s', (_name, a, b, expected) => {
  expect([deepEqual(a, b), deepEqual(b, a)]).toEqual([expected, expected]);
});

test('a value equals its copy with shuffled keys, and agrees with its JSON text', () => {
  const json = () => fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(json(), (value) => {
      expect(deepEqual(value, reversed(value))).toBe(true);
    }),
  );
  fc.assert(
    fc.property(json(), json(), (a, b) => {
      expect(deepEqual(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
    }),
  );
});

test('a change anywhere is seen', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string(), (value, key) => {
      expect(deepEqual({ [key]: value }, { [key]: [value] })).toBe(false);
      expect(deepEqual([value, value], [value])).toBe(false);
    }),
  );
});

test.each<[string, unknown, unknown, boolean]>([
  ['more keys', { a: 1, b: 2 }, { a: 1 }, true],
  ['fewer keys', { a: 1 }, { a: 1, b: 2 }, false],
  ['more keys below', { a: { b: 1, c: 2 } }, { a: { b: 1 } }, true],
  ['more keys in elements', [{ a: 1, b: 2 }], [{ a: 1 }], true],
  ['more elements', [1, 2], [1], false],
  ['a list for an object', [1], {}, false],
  ['another scalar', { a: 1 }, { a: 2 }, false],
])('isSuperset: %s', (_name, actual, expected, result) => {
  expect(isSuperset(actual, expected)).toBe(result);
});

test('pickExpectedKeys leaves out what nobody asked for', () => {
  const actual = { a: { b: 1, c: 2 }, d: [{ e: 1, f: 2 }, 3], g: 4 };
  expect(pickExpectedKeys(actual, { a: { b: 9 }, d: [{ e: 9 }], x: 1 })).toEqual({
    a: { b: 1 },
    d: [{ e: 1 }, 3],
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { entries: entries.map(([key, inner]) => [key, sorted(inner)]) };
}
