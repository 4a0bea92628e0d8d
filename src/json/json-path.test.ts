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

// The rules of RFC 9535 (2.4.6, 2.4.7) and RFC 9485, as in the compliance tests of RFC 9535.
const LINES = ['\u2028', '\u2029', '\r', '\n', '\r\u2028\n', true, [], {}];
test.each<[string, unknown[], unknown[]]>([
  ["$[?match(@, '.')]", LINES, ['\u2028', '\u2029']],
  ["$[?search(@, '.')]", LINES, ['\u2028', '\u2029', '\r\u2028\n']],
  ["$[?match(@, '.*')]", ['ab', 'a\nb', 'a\rb', ''], ['ab', '']],
  ["$[?match(@, 'a.b')]", ['a\u{10101}b', 'ab', '1', 'a..b'], ['a\u{10101}b']],
  ["$[?match(@, 'a[.b]c')]", ['abc', 'a.c', 'axc'], ['abc', 'a.c']],
  ["$[?match(@, 'a[^.]c')]", ['abc', 'a.c', 'a\nc'], ['abc', 'a\nc']],
  ["$[?match(@, 'a\\\\.c')]", ['abc', 'a.c'], ['a.c']],
  ["$[?match(@, 'a\\\\\\\\.c')]", ['a\\bc', 'a\\\nc', 'a.c'], ['a\\bc']],
  ["$[?match(@, 'a[\\\\[.]c')]", ['a[c', 'a.c', 'abc'], ['a[c', 'a.c']],
  ["$[?match(@, 'a[\\\\].]c')]", ['a]c', 'a.c', 'abc'], ['a]c', 'a.c']],
  ["$[?match(@, '\\\\p{Lu}')]", ['ж', 'Ж', '1', 'жЖ'], ['Ж']],
  ["$[?match(@, '\\\\P{Lu}')]", ['ж', 'Ж', '1'], ['ж', '1']],
  ["$[?match(@, '[\\\\p{Nd}\\\\p{Zs}-]+')]", ['1 2-3', 'a1'], ['1 2-3']],
  ["$[?match(@, '^ab.*')]", ['abc', 'axc', 'ab', 'xab'], ['abc', 'ab']],
  ["$[?match(@, '.*bc$')]", ['abc', 'axc', 'ab', 'abcx', 'abc\n'], ['abc']],
  ["$[?match(@, 'a{2,3}')]", ['a', 'aa', 'aaa', 'aaaa'], ['aa', 'aaa']],
  ["$[?match(@, '(?s).')]", ['\n', 'a'], ['\n', 'a']],
  ['$[?!match(@, 1)]', ['a'], ['a']],
  ["$[?search(@, 'a')]", ['xax', 1, null, ['a']], ['xax']],
])('%s', (path, values, selected) => {
  const expected = { kind: 'list', values: selected };
  expect(compileJsonPath(path).query(values)).toEqual(expected);
});

test('a pattern may come from the answer', () => {
  const value = { regex: 'b.?b', values: ['abc', 'bcd', 'bab', 'bba', 'bbab', 'b', 'b\rb'] };
  expect(compileJsonPath('$.values[?match(@, $.regex)]').query(value)).toEqual({
    kind: 'list',
    values: ['bab'],
  });
  expect(compileJsonPath('$.values[?search(@, $.regex)]').query(value)).toEqual({
    kind: 'list',
    values: ['bab', 'bba', 'bbab'],
  });
});

const CATEGORIES =
  'L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps Z Zl Zp Zs S Sc Sk Sm So C Cc Cf Cn Co';
test.each(CATEGORIES.split(' '))('knows the category %s', (category) => {
  const { query } = compileJsonPath(`$[?search(@, '[\\\\p{${category}}]')]`);
  const pattern = new RegExp(`[\\p{${category}}]`, 'u');
  // Not every version of Unicode has the newest characters: those here are old.
  const samples = Array.from('aAǅʰªःא⃝̀1Ⅷ½_-)»«!( \u2028\u2029$^+©\u0007\u00AD\uE000\u{10FFFF}');
  const values = samples.filter((sample) => pattern.test(sample));
  expect(query(samples)).toEqual(
    values.length === 0 ? { kind: 'missing', parent: samples } : { kind: 'list', values },
  );
});
