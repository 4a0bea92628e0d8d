import { expect, test } from 'vitest';
import { smallestGrowth } from '../../test/growth.ts';
import { compileGlob } from './glob.ts';

test.each<[string, string[], string[]]>([
  ['*.jsonl', ['a.jsonl', 'ä b.jsonl'], ['a/b.jsonl', 'a.jsonlx', 'ajsonl']],
  ['**/*.jsonl', ['a.jsonl', 'a/b/c.jsonl'], ['a.json']],
  ['a*/**/c?.jsonl', ['ab/c1.jsonl', 'a/b/c/c2.jsonl'], ['b/c1.jsonl', 'a/c.jsonl']],
  ['**', ['a', 'a/b'], ['']],
  ['a**b', ['ab', 'axxb'], ['a/b']],
  ['[ab]x', ['ax', 'bx'], ['cx']],
  ['[!a-c]x', ['dx'], ['ax', '/x']],
  ['[]a]x', [']x', 'ax'], ['bx']],
  ['[[:digit:]]', ['7'], ['a']],
  ['[x', ['[x'], ['x']],
  ['{a,b/c}.jsonl', ['a.jsonl', 'b/c.jsonl'], ['b.jsonl']],
  ['x{1..3}', ['x1', 'x3'], ['x4']],
  ['{c..a}', ['a', 'b', 'c'], ['d']],
  ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['b']],
  ['{a}{,b}', ['{a}', '{a}b'], ['a']],
  ['+(a|bc)', ['a', 'aabc'], ['', 'b']],
  ['?(a)b', ['b', 'ab'], ['aab']],
  ['@(a|b)*(c)', ['a', 'bcc'], ['c']],
  ['a\\*?', ['a*b'], ['axb']],
  ['a.b+c$*', ['a.b+c$', 'a.b+c$d'], ['axb+c$']],
])('%s', (glob, matching, others) => {
  const { matches } = compileGlob(glob);
  expect([matching.filter((path) => !matches(path)), others.filter(matches)]).toEqual([[], []]);
});

test('splits the fixed folders off, and is coarse about the rest', () => {
  const split = (glob: string): unknown[] => {
    const { folder, coarse, hasDots } = compileGlob(glob);
    return [folder, coarse, hasDots];
  };
  expect(split('a/b\\*/*x*/c/*.jsonl')).toEqual(['a/b*', '*/c/*', false]);
  expect(split('/*.jsonl')).toEqual(['/', '*', false]);
  expect(split('/a/b/*')).toEqual(['/a/b', '*', false]);
  expect(split('../a/**/b/*')).toEqual(['../a', '**', false]);
  expect(split('{a/b,c}/*')).toEqual(['', '**', false]);
  expect(split('*/.x/*')).toEqual(['', '*/.x/*', true]);
});

test('refuses what it does not support', () => {
  expect(() => compileGlob('!(a).jsonl')).toThrow('has "!(…)", which is not supported');
  expect(() => compileGlob('{1..99999}')).toThrow('has a range of more than 1000 values: {1..99999}');
  expect(() => compileGlob('*'.repeat(5000))).toThrow('is longer than 4096 characters');
});

test.each([
  '**/**/**/**/*a*a*a*a*a*a*a*a*a*a*b',
  '+(a|aa)+(a|aa)+(a|aa)+(a|aa)b',
  '*(*(*(*(*(a)))))b',
  `${'{a,aa}'.repeat(200)}b`,
  `${'{'.repeat(1000)}a,b${'}'.repeat(1000)}`,
  '*'.repeat(4000),
  '*a'.repeat(1000),
])('%.40s takes linear time', async (glob) => {
  const { matches } = compileGlob(glob);
  const work = (length: number): (() => unknown) => {
    const name = 'a'.repeat(length);
    return () => matches(name);
  };
  expect(await smallestGrowth(work, { small: 1000, large: 4000, floorUs: 5000 })).toBeLessThan(12);
});
