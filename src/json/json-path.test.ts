import { expect, test } from 'vitest';
import { compileJsonPath } from './json-path.ts';

const root = { items: [{ n: 'a', ok: true }, { n: 'b' }], 'x y': { deep: [1, [2]] } };

test.each<[string, unknown]>([
  ['$.items[0].n', { kind: 'value', value: 'a' }],
  ['items[*].n', { kind: 'list', values: ['a', 'b'] }],
  ['[*][0].n', { kind: 'list', values: ['a'] }],
  ['..n', { kind: 'list', values: ['a', 'b'] }],
  ['$.items[?@.ok == true].n', { kind: 'list', values: ['a'] }],
  ["$.items[?match(@.n, '[ab]')].n", { kind: 'list', values: ['a', 'b'] }],
  ["$.items[?match(@.n, 'a|bc')].n", { kind: 'list', values: ['a'] }],
  ["$.items[?search(@.n, '(?i)B')].n", { kind: 'list', values: ['b'] }],
  ['$["x\\u0020y"].deep[0]', { kind: 'value', value: 1 }],
  ['$.items[0:1].n', { kind: 'list', values: ['a'] }],
  ['$.items[?@.none]', { kind: 'missing', parent: root }],
  ['$.nope', { kind: 'missing', parent: root, name: 'nope' }],
])('queries %s', (path, expected) => {
  expect(compileJsonPath(path).query(root)).toEqual(expected);
});

test.each([
  ['$.a[', "unclosed bracketed selection ('$.a[':4)"],
  ["$.a[?match(@.b, '(')]", 'error parsing regexp: missing closing ): `(`'],
  ['$.a[?search(@.b, "a(?=b)")]', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['$.a[?nosuch(@.b)]', 'no such function'],
])('says what is wrong with %s', (path, message) => {
  expect(() => compileJsonPath(path)).toThrow(message);
});

test('match means the whole text, search a part of it', () => {
  const words = ['cat', 'concat', 'cats'];
  expect(compileJsonPath("$[?match(@, 'cat|dog')]").query(words)).toEqual({ kind: 'list', values: ['cat'] });
  expect(compileJsonPath("$[?search(@, 'cat$')]").query(words)).toEqual({
    kind: 'list',
    values: ['cat', 'concat'],
  });
});

test('a wrong pattern in the data is an error, not a difference', () => {
  const path = compileJsonPath('$.items[?search(@.text, $.pattern)]');
  expect(() => path.query({ pattern: '(', items: [{ text: 'x' }] })).toThrow('missing closing )');
});

test('a hostile pattern in a filter takes linear time', () => {
  const started = performance.now();
  const found = compileJsonPath("$[?search(@, '(a+)+$')]").query([`${'a'.repeat(100_000)}!`]);
  expect(found).toMatchObject({ kind: 'missing' });
  expect(performance.now() - started).toBeLessThan(3000);
});

test('reaches values as deep as answers go', () => {
  let nested: unknown = { leaf: 1 };
  for (let depth = 0; depth < 500; depth++) nested = { nested };
  expect(compileJsonPath('$..leaf').query(nested)).toEqual({ kind: 'list', values: [1] });
});
