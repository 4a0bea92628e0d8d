import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

const length = (output: unknown, value: unknown) => verdictOn(output, { type: 'length', value });
const count = (output: unknown, unit: string) => length(output, { max: 0, unit }).actual ?? 0;

test.each<[string, unknown, string, unknown]>([
  ['characters', 'Hello', 'characters', 5],
  ['an emoji of several parts', '👩‍👩‍👧‍👦é', 'characters', 2],
  ['no characters', '', 'characters', 0],
  ['characters of JSON', { a: 1 }, 'characters', 7],
  ['words', "It's 5 o'clock — well-known, isn’t it?", 'words', 7],
  ['words without spaces', '我喜歡 tea', 'words', 4],
  ['no words', '!?', 'words', 0],
  ['lines', 'a\n\nb\n', 'lines', 3],
  ['lines of Windows', 'a\r\nb\r\n', 'lines', 2],
  ['no lines', '', 'lines', 0],
  ['sentences', 'One. Two!\n\nIs 3.5 three?', 'sentences', 3],
  ['items', [1, 2, 3], 'items', 3],
  ['items in a text', 'Here: ["a", "b"]', 'items', 2],
])('counts %s', (_name, output, unit, expected) => {
  expect(count(output, unit)).toBe(expected);
});

test.each<[string, unknown, unknown]>([
  ['an exact number of characters', 'Hello', 5],
  ['an exact number of items', ['a', 'b'], 2],
  ['a lower limit', 'Hello', { min: 5 }],
  ['an upper limit', 'Hello', { max: 5 }],
  ['both', 'one two three', { min: 2, max: 3, unit: 'words' }],
])('passes: %s', (_name, output, value) => {
  expect(length(output, value)).toEqual({ type: 'length', status: 'passed' });
});

test.each<[unknown, unknown, string, unknown]>([
  ['Hello', 4, 'the answer has 5 characters, wanted exactly 4', 5],
  ['one', { min: 2, unit: 'words' }, 'the answer has 1 word, wanted at least 2', 1],
  [[1, 2], { max: 1 }, 'the answer has 2 items, wanted at most 1', 2],
  ['a', { min: 2, max: 3 }, 'the answer has 1 character, wanted 2 to 3', 1],
  ['no list', { min: 1, unit: 'items' }, 'the answer is not a list', 'no list'],
])('%j %j: %s', (output, value, message, actual) => {
  expect(length(output, value)).toEqual({
    type: 'length',
    status: 'failed',
    message,
    expected: value,
    actual,
  });
});
