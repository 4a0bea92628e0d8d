import { expect, test } from 'vitest';
import { describeDiff, limitValue } from './diff.ts';

test('shows single-line values one below the other', () => {
  expect(describeDiff('yes', 'no')).toBe('- expected\n+ actual\n\n- "yes"\n+ "no"');
  expect(describeDiff(1, '1')).toBe('- expected\n+ actual\n\n- 1\n+ "1"');
  expect(describeDiff(1, undefined)).toBe('- expected\n+ actual\n\n- 1\n+ nothing');
});

test('compares objects line by line, whatever the order of their keys', () => {
  expect(describeDiff({ b: 2, a: 1 }, { a: 1, b: 3 })).toBe(
    ['- expected', '+ actual', '', '  {', '    "a": 1,', '-   "b": 2', '+   "b": 3', '  }'].join('\n'),
  );
});

test('compares texts of several lines as they are', () => {
  expect(describeDiff('a\nb', 'a')).toBe(['- expected', '+ actual', '', '  a', '- b'].join('\n'));
});

test('leaves out equal lines far from a difference', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const changed = lines.with(10, 'other').with(20, 'another');
  expect(describeDiff(lines.join('\n'), changed.join('\n'))).toBe(
    `- expected
+ actual

  …
  line 7
  line 8
  line 9
- line 10
+ other
  line 11
  line 12
  line 13
  …
  line 17
  line 18
  line 19
- line 20
+ another
  line 21
  line 22
  line 23
  …`,
  );
});

test('stays small and quick on large values that have nothing in common', () => {
  const numbers = (from: number) => Array.from({ length: 50_000 }, (_, index) => from + index);
  const started = performance.now();
  const diff = describeDiff(numbers(0), numbers(1_000_000));
  expect(diff.split('\n').length).toBe(101);
  expect(diff.split('\n').at(-1)).toMatch(/^… \d+ more lines$/);
  expect(performance.now() - started).toBeLessThan(3000);

  const long = describeDiff('x'.repeat(1e6), 'y'.repeat(1e6));
  expect(long.length).toBeLessThan(9000);
});

test('has no colours', () => {
  // oxlint-disable-next-line no-control-regex
  expect(describeDiff({ a: [1, 2] }, { a: [1, 3] })).not.toMatch(/\u001b/);
});

test('values up to 64 KB stay as they are, larger ones become the beginning of their text', () => {
  const small = { text: 'x'.repeat(60_000) };
  expect(limitValue(small)).toBe(small);
  expect(limitValue('x'.repeat(70_000))).toBe(`${'x'.repeat(4096)}… (70000 characters)`);
  expect(limitValue(['x'.repeat(70_000)])).toBe(`["${'x'.repeat(4094)}… (70004 characters)`);
  expect(limitValue(`x${'😀'.repeat(40_000)}`)).toBe(`x${'😀'.repeat(2047)}… (80001 characters)`);
  expect([limitValue(null), limitValue(1), limitValue(true)]).toEqual([null, 1, true]);
});
