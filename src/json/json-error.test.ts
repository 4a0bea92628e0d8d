import { expect, test } from 'vitest';
import { BadJson, parseOrExplain } from './json-error.ts';

test.each([
  ['{"a": 1,}', 'there is a comma before "}": remove it (line 4, column 9)'],
  ['{"a": [1, 2,]}', 'there is a comma before "]": remove it (line 4, column 13)'],
  ["{'a': 1}", 'texts are in double quotes, not in single quotes (line 4, column 2)'],
  ['{"it": "Ann\'s", "b": \'x\'}', 'texts are in double quotes, not in single quotes (line 4, column 22)'],
  ['{“a”: 1}', 'texts are in straight double quotes ("), not in typographic ones (“) (line 4, column 2)'],
  ['{a: 1}', 'names are in double quotes: write "a" (line 4, column 2)'],
  ['{"a": True}', 'True is written true (line 4, column 7)'],
  ['{"a": None}', 'None is written null (line 4, column 7)'],
  ['{"a": NaN}', 'NaN is no JSON value: use null or a text (line 4, column 7)'],
  ['{"a": 1\n"b": 2}', 'there is no comma before this text (line 5, column 1)'],
])('%j', (text, expected) => {
  const parsed = parseOrExplain(text);
  expect(parsed).toBeInstanceOf(BadJson);
  expect((parsed as BadJson).describe(4)).toBe(`invalid JSON: ${expected}`);
});

test('a text of JSON is parsed', () => {
  expect(parseOrExplain('{"a": [1]}')).toEqual({ a: [1] });
});
