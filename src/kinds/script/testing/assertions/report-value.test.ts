import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { reportValue } from './report-value.ts';
import { show } from './show.ts';

class Point {
  x = 1;
}

const circle: unknown[] = [1];
circle.push({ circle });

test('JSON stays as it is, everything else becomes text', () => {
  const json = { a: [1, 'x', null, true, { b: {} }], __proto__: { c: 1 } };
  expect(reportValue(JSON.parse(JSON.stringify(json)))).toEqual({ a: [1, 'x', null, true, { b: {} }] });
  expect(
    reportValue([
      undefined,
      Number.NaN,
      10n,
      Symbol('s'),
      function named() {},
      Point,
      new Point(),
      new Date(0),
      new Map([['a', 1]]),
      new Set([1]),
      /x/g,
      new TypeError('no'),
      new Uint8Array(2),
      circle,
      [1, ...Array<number>(1)],
      Object.assign(Array(1), { 2: 1 }),
    ]),
  ).toEqual([
    'undefined',
    'NaN',
    '10n',
    'Symbol(s)',
    '[Function: named]',
    '[class Point]',
    'Point { x: 1 }',
    '1970-01-01T00:00:00.000Z',
    "Map(1) { 'a' => 1 }",
    'Set(1) { 1 }',
    '/x/g',
    'TypeError: no',
    'Uint8Array(2) [ 0, 0 ]',
    [1, { circle: '[Circular]' }],
    [1, 'undefined'],
    ['[empty]', '[empty]', 1],
  ]);
  expect(reportValue({ a: undefined, [Symbol('s')]: 1 })).toEqual({ a: 'undefined', '[Symbol(s)]': 1 });
  expect(reportValue(runInNewContext('({ a: [1, new Date(0)] })'))).toEqual({
    a: [1, '1970-01-01T00:00:00.000Z'],
  });
});

test('hostile values are shown as far as they let themselves be', () => {
  const fail = (): never => {
    throw new Error('hostile');
  };
  const trapped = new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail, has: fail });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const getter = {
    get a() {
      return fail();
    },
    toJSON: fail,
    toString: fail,
  };
  const tag = {
    get [Symbol.toStringTag]() {
      return fail();
    },
  };
  const error = new Error('x');
  Object.defineProperty(error, 'message', { get: fail });
  expect(reportValue([trapped, revoked.proxy, getter, tag, error])).toEqual([
    '{}',
    '<Revoked Proxy>',
    { a: '[throws Error: hostile]', toJSON: '[Function: fail]', toString: '[Function: fail]' },
    '[unprintable value]',
    'Error',
  ]);
});

test('what is large is cut', () => {
  const sizes = [
    'x'.repeat(1e6),
    Array.from({ length: 1e6 }, () => 'x'),
    Object.fromEntries(Array.from({ length: 1e5 }, (_, index) => [`key${String(index)}`, index])),
    new Map(Array.from({ length: 1e4 }, (_, index) => [index, 'x'.repeat(100)])),
  ].map((value) => JSON.stringify(reportValue(value)).length);
  expect(sizes.map((size) => size > 1000 && size < 30_000)).toEqual([true, true, true, true]);
  expect(reportValue('x'.repeat(20_000))).toBe(`${'x'.repeat(10_000)}… (20000 characters)`);
  const nested = JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown;
  expect(JSON.stringify(reportValue(nested)).length).toBeLessThan(1000);
});

test('a value in a message is one short line', () => {
  expect(
    [{ a: 'b\nc' }, 'x'.repeat(200), 'a"b', new Error('two\nlines'), [[[[1]]]]].map((value) => show(value)),
  ).toEqual(["{ a: 'b\\nc' }", `"${'x'.repeat(119)}…`, '"a\\"b"', 'Error: two lines', '[ [ [ [Array] ] ] ]']);
});
