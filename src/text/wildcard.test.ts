import { expect, test } from 'vitest';
import { matchesWildcard } from './wildcard.ts';

test.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['a*', 'ab', true],
  ['*b', 'ab', true],
  ['*', '', true],
  ['a.c*', 'abcd', false],
  ['a-*.(x)', 'a-b.(x)', true],
])('%s means %s: %s', (wanted, name, expected) => {
  expect(matchesWildcard(wanted, name)).toBe(expected);
});
