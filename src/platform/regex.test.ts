import { expect, test } from 'vitest';
import { compilePattern } from './regex.ts';

const finds = (pattern: string, text: string) => compilePattern(pattern).test(text);

test.each([
  ['\\d{3}-\\d{4}', 'call 555-1234 now', true],
  ['^\\d+$', 'call 555', false],
  ['(?i)HÉLLO', 'say héllo', true],
  ['^b$', 'a\nb', false],
  ['(?m)^b$', 'a\nb', true],
  ['a.b', 'a\nb', false],
  ['(?s)a.b', 'a\nb', true],
  ['^.$', '😀', true],
  ['\\p{Han}', 'the word 漢字', true],
  ['漢字', 'the word 漢字', true],
  ['plain text', 'some plain text here', true],
  ['plain', 'PLAIN', false],
  ['', 'anything', true],
  ['1+1=2', '1+1=2', false],
])('%j on %j: %s', (pattern, text, expected) => {
  expect(finds(pattern, text)).toBe(expected);
});

test.each([
  ['(', 'error parsing regexp: missing closing ): `(`'],
  ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
  ['(a)\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
  ['a{1001}', 'error parsing regexp: invalid repeat count: `{1001}`'],
])('says what is wrong with %j', (pattern, message) => {
  expect(() => compilePattern(pattern)).toThrow(message);
});

test('hostile patterns take linear time', () => {
  const letters = 'a'.repeat(100_000);
  const started = performance.now();
  expect(finds('(a+)+$', letters)).toBe(true);
  expect(finds('(a+)+$', `${letters}!`)).toBe(false);
  expect(finds('(a|aa)+b', letters)).toBe(false);
  expect(finds('(.*)*x(.*)*y', letters)).toBe(false);
  expect(performance.now() - started).toBeLessThan(5000);
});
