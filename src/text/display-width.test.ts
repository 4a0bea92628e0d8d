import { expect, test } from 'vitest';
import { cutToColumns } from './display-width.ts';

test.each([
  ['- abcdef', 8, 0, '- abcdef'],
  ['- abcdefg', 8, 0, '- abcde…'],
  ['- abcdef', 8, 5, '- …'],
  ['- 你好世界', 9, 0, '- 你好世…'],
  ['- 你好世界', 10, 0, '- 你好世界'],
  ['- \u{1f600}\u{1f600}\u{1f600}', 7, 0, '- \u{1f600}\u{1f600}…'],
  ['- e\u0301e\u0301', 4, 0, '- e\u0301e\u0301'],
  ['-\tabcd', 10, 0, '-\ta…'],
  ['- abc', 3, 5, '…'],
])('%j in %i columns from column %i', (line, columns, from, expected) => {
  expect(cutToColumns(line, columns, from)).toBe(expected);
});
