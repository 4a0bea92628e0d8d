import { expect, test } from 'vitest';
import { didYouMean, editsBetween, nearest } from './nearest.ts';

const TYPES = ['contains', 'cost', 'equals', 'json_path', 'not_contains', 'type'];

test('lists similar names, the most similar first', () => {
  expect(nearest('coss', ['cast', 'cost', 'other', 'coast'])).toEqual(['cost', 'coast']);
  expect(nearest('jsonpath', TYPES)).toEqual(['json_path']);
  expect(nearest('EQUALS', TYPES)).toEqual(['equals']);
  expect(nearest('coss', ['cast', 'cost'], { max: 1 })).toEqual(['cost']);
});

test('has no idea about a word that is like nothing', () => {
  expect(nearest('xyzzy', TYPES)).toEqual([]);
  expect(nearest('', TYPES)).toEqual([]);
  expect(didYouMean('xyzzy', TYPES)).toBeUndefined();
});

test('asks for the most similar name', () => {
  expect(didYouMean('equal', TYPES)).toBe('did you mean "equals"?');
  expect(didYouMean('bool', ['boolean', 'null'])).toBe('did you mean "boolean"?');
});

test('is quick on a word of a million characters', () => {
  expect(nearest('e'.repeat(1e6), TYPES)).toEqual([]);
});

test('two letters that changed places are one mistake', () => {
  expect(didYouMean('ulr', ['body', 'url', 'usage'])).toBe('did you mean "url"?');
  expect(nearest('ab', ['ba', 'cd'])).toEqual(['ba']);
  expect([editsBetween('ulr', 'url'), editsBetween('abc', 'bca'), editsBetween('a', 'a')]).toEqual([1, 2, 0]);
});
