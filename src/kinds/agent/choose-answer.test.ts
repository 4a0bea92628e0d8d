import { expect, test } from 'vitest';
import { readChoice } from './choose-answer.ts';

test('a choice is the number of one answer', () => {
  expect(readChoice('{"reason": "it is warm", "best": 2}', 2)).toEqual({ index: 1, reason: 'it is warm' });
  expect(readChoice({ best: 1 }, 2)).toEqual({ index: 0 });
});

test.each([
  ['The second one.', 'must answer {best, reason}'],
  ['{"best": 3}', '"best" must be a number from 1 to 2'],
  ['{"best": 0}', '"best" must be a number from 1 to 2'],
  ['{"best": "1"}', '"best" must be a number from 1 to 2'],
  ['{"best": 1} or {"best": 2}', 'must choose once'],
])('%s is no choice', (output, problem) => {
  expect(() => readChoice(output, 2)).toThrow(
    new Error(`the judge answered ${JSON.stringify(output)}, but ${problem}`),
  );
});
