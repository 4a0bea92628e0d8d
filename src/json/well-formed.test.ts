import { expect, test } from 'vitest';
import { isWellFormed, toWellFormed, toWellFormedJson } from './well-formed.ts';

test('a lone half of a surrogate pair is found and replaced', () => {
  expect(['plain', 'pair 😀', 'half \uD83D', '\uDE00'].map(isWellFormed)).toEqual([true, true, false, false]);
  expect(toWellFormed('half \uD83D!')).toBe('half \uFFFD!');
});

test('in JSON, keys and values are repaired and nothing else', () => {
  const value = { '\uD83D': ['a\uDE00b', '😀', '\\ud83d', '\\\\ud83d', '\u0001\n"'] };
  expect(JSON.parse(toWellFormedJson(JSON.stringify(value)))).toEqual({
    '\uFFFD': ['a\uFFFDb', '😀', '\\ud83d', '\\\\ud83d', '\u0001\n"'],
  });
});
