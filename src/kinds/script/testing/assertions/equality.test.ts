import * as fc from 'fast-check';
import { runInNewContext, runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { isEqual } from './equality.ts';

class Point {
  x: number;
  constructor(x: number) {
    this.x = x;
  }
}
class Vector extends Point {}

const cyclic = (value: number): object => {
  const object: Record<string, unknown> = { value };
  object['self'] = object;
  return object;
};

const same = (): void => undefined;
const symbol = Symbol('key');
const tagged = new Error('x');
tagged.name = 'Tagged';

test.each<[string, unknown, unknown, boolean]>([
  ['numbers', 1, 1, true],
  ['a number and its text', 1, '1', false],
  ['NaN', Number.NaN, Number.NaN, true],
  ['NaN inside', [Number.NaN], [Number.NaN], true],
  ['0 and -0', { a: 0 }, { a: -0 }, true],
  ['null and undefined', null, undefined, false],
  ['null and an object', null, {}, false],
  ['bigints', 10n, 10n, true],
  ['key order', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['an undefined property', { a: undefined }, {}, false],
  ['as many properties, but others', { a: undefined }, { b: undefined }, false],
  ['an inherited property', {}, JSON.parse('{"__proto__": 1}'), false],
  ['no prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }, true],
  ['symbols as keys', { [symbol]: 1 }, { [symbol]: 1 }, true],
  ['symbols as keys, other values', { [symbol]: 1 }, { [symbol]: 2 }, false],
  ['a list and an object', [], {}, false],
  ['a list and something like it', ['x'], { 0: 'x', length: 1 }, false],
  ['a hole and undefined', Array(1), [undefined], false],
  ['holes', [1, ...Array(1), 2].concat(Array(2)), [1, undefined, 2].concat(Array(2)), true],
  ['lists of different length', Array(1), Array(2), false],
  ['a list with a property', Object.assign([1], { a: 1 }), [1], false],
  ['dates', new Date(5), new Date(5), true],
  ['other dates', new Date(5), new Date(6), false],
  ['invalid dates', new Date(Number.NaN), new Date(Number.NaN), true],
  ['a date and its number', new Date(5), 5, false],
  ['a date and an object', new Date(5), {}, false],
  ['patterns', /a/g, /a/g, true],
  ['patterns with other flags', /a/g, /a/, false],
  ['maps', new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]]), true],
  ['maps of objects', new Map([[{ a: 1 }, 1]]), new Map([[{ a: 1 }, 1]]), true],
  ['maps with other values', new Map([['a', 1]]), new Map([['a', 2]]), false],
  ['maps with other keys', new Map([['a', undefined]]), new Map([['b', undefined]]), false],
  ['sets in any order', new Set([1, { a: 1 }]), new Set([{ a: 1 }, 1]), true],
  ['sets whose elements are used once', new Set([{ a: 1 }, { a: 1 }]), new Set([{ a: 1 }, { a: 2 }]), false],
  ['a set and a map', new Set(), new Map(), false],
  ['errors', new Error('a'), new Error('a'), true],
  ['errors with another message', new Error('a'), new Error('b'), false],
  ['errors with another name', new Error('x'), tagged, false],
  ['errors of other classes', new TypeError('a'), new RangeError('a'), false],
  ['an error and an object', new Error('a'), { message: 'a' }, false],
  ['typed arrays', new Uint8Array([1, 2]), new Uint8Array([1, 2]), true],
  ['typed arrays of other kinds', new Uint8Array([1]), new Int8Array([1]), false],
  ['floats', new Float64Array([Number.NaN, 0]), new Float64Array([Number.NaN, -0]), true],
  ['buffers', Buffer.from('a'), Buffer.from('b'), false],
  ['array buffers', new Uint8Array([1]).buffer, new Uint8Array([2]).buffer, false],
  ['boxes', Object('a'), Object('a'), true],
  ['boxes of other values', Object(1), Object(2), false],
  ['a box and its value', Object(1), 1, false],
  ['classes', new Point(1), new Point(1), true],
  ['classes of other content', new Point(1), new Point(2), false],
  ['other classes', new Point(1), new Vector(1), false],
  ['a class and a plain object', new Point(1), { x: 1 }, false],
  ['a function', same, same, true],
  ['functions', () => 1, () => 1, false],
  ['promises', Promise.resolve(1), Promise.resolve(1), false],
  ['cycles', cyclic(1), cyclic(1), true],
  ['cycles with a difference', cyclic(1), cyclic(2), false],
])('%s', (_name, a, b, expected) => {
  expect([isEqual(a, b), isEqual(b, a)]).toEqual([expected, expected]);
});

test.each([
  '({ a: [1, { b: undefined }], n: NaN })',
  '[new Date(5), /a/g, new Map([[{ a: 1 }, new Set([1])]])]',
  '[new TypeError("x"), new Uint8Array([1, 2]), Object("boxed"), 10n]',
  '(() => { class Point { x = 1 } return new Point() })()',
  '(() => { const a = []; a.push(a); return a })()',
  'Object.create(null)',
])('values of another realm: %s', (source) => {
  const own: unknown = runInThisContext(source);
  expect([isEqual(runInNewContext(source), own), isEqual(own, runInNewContext(source))]).toEqual([
    true,
    true,
  ]);
});

test('what was tried in vain is not taken as equal elsewhere', () => {
  const [one, two] = [{ value: 1 }, { value: 2 }];
  const [otherTwo, otherOne] = [{ value: 2 }, { value: 1 }];
  const other = { set: new Set([otherTwo, otherOne]) };
  const value = { set: new Set([one, two]) };
  expect([isEqual(value, other), isEqual([value, one], [other, otherTwo])]).toEqual([true, false]);
});

test('a value that is used in many places is compared once', () => {
  const deep = (): unknown => {
    let value: unknown = { end: true };
    for (let level = 0; level < 60; level++) value = [value, value];
    return value;
  };
  expect(isEqual(deep(), deep())).toBe(true);
});

test('any value equals its copy, and no value equals itself in a list', () => {
  const anything = fc.anything({
    maxDepth: 3,
    withMap: true,
    withSet: true,
    withDate: true,
    withSparseArray: true,
    withTypedArray: true,
    withBigInt: true,
    withBoxedValues: true,
  });
  fc.assert(
    fc.property(fc.clone(anything, 2), ([a, b]) => {
      expect([isEqual(a, b), isEqual(a, [b])]).toEqual([true, false]);
    }),
  );
});
