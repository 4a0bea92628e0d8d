import { expect, test } from 'vitest';
import { cutText, ellipsize } from './cut-text.ts';

test('cuts after so many characters', () => {
  expect(cutText('abcd', 4)).toBe('abcd');
  expect(cutText('abcde', 4)).toBe('abcd');
});

test('never cuts a surrogate pair in half', () => {
  expect(cutText('abc😀d', 4)).toBe('abc');
  expect(ellipsize('abc😀d', 4)).toBe('abc…');
});

test('marks a text with an ellipsis only if something is left out', () => {
  expect(ellipsize('abcd', 4)).toBe('abcd');
  expect(ellipsize('abcde', 4)).toBe('abcd…');
});
