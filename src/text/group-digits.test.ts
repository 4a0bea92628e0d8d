import { expect, test } from 'vitest';
import { groupDigits } from './group-digits.ts';

test('writes whole numbers as toLocaleString does', () => {
  const numbers = [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 1_234_567_890, -1, -1000, -123_456];
  expect(numbers.map(groupDigits)).toEqual(numbers.map((number) => number.toLocaleString('en')));
});
