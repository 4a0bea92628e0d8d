import { expect, test } from 'vitest';
import { checkCase } from './case.ts';

const HALF = 'holds half a character: a surrogate (\\ud800 to \\udfff) without its other half';

function nested(depth: number): string {
  return `{"id":"a","input":"hi","expected":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
}

test.each([
  [
    'a number out of range',
    '{"id":"a","input":"hi","expected":{"n":[1e400]}}',
    '"expected" holds a number that',
  ],
  ['another one', '{"id":"a","input":"hi","metadata":{"n":-1e400}}', '"metadata" holds a number that'],
  ['half a character in an id', '{"id":"a\\ud83d","input":"hi"}', `"id" ${HALF}`],
  [
    'half a character in a message',
    '{"id":"a","input":{"role":"user","content":"\\ude00"}}',
    `"input" ${HALF}`,
  ],
  ['half a character in a name', '{"id":"a","input":"hi","options":{"\\ud83d":1}}', `"options" ${HALF}`],
  ['a nest of 501 levels', nested(501), '"expected" is nested deeper than 500 levels'],
  ['a nest of 200,000 levels', nested(200_000), '"expected" is nested deeper than 500 levels'],
])('refuses %s', (_name, text, message) => {
  expect(checkCase(JSON.parse(text))).toEqual({ problems: [{ message: expect.stringContaining(message) }] });
});

test('takes whole characters, large numbers and 500 levels', () => {
  for (const text of ['{"id":"😀","input":"\\ud83d\\ude00","expected":1e308}', nested(500)]) {
    const value: unknown = JSON.parse(text);
    expect(checkCase(value)).toEqual({ case: value });
  }
});
