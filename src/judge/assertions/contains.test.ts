import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

const CONTAINED: [string, unknown, unknown][] = [
  ['a part of a text', 'an error occurred', 'error'],
  ['unicode', 'Größe: 😀', '😀'],
  ['a number in a text', 'it is 42', 42],
  ['an object in a text', 'so {"a":1} then', { a: 1 }],
  ['an object in a text with spaces', 'so {"a": 1, "b": 2} then', { a: 1 }],
  ['the name of a key', { need_search: false }, 'need_search'],
  ['a part of a value', { a: { b: ['some text'] } }, 'me te'],
  ['a value with quotes', { a: 'say "hi"\nnow' }, 'say "hi"\nnow'],
  ['a text in a list', ['x', 'y'], 'y'],
  ['a number in a list', [1, 2], 2],
  ['a value in an object', { a: { b: 2 } }, 2],
  ['an object with more keys', [{ a: 1, b: 2 }], { a: 1 }],
  ['entries of the answer itself', { a: 1, b: 2 }, { a: 1 }],
  ['a list in an object', { a: [1, 2] }, [1, 2]],
  ['null', { a: null }, null],
  ['the answer itself', 42, 42],
];

const NOT_CONTAINED: [string, unknown, unknown][] = [
  ['another text', 'fine', 'error'],
  ['letter case', 'Error', 'error'],
  ['another number', [1, 22], 2],
  ['a number as text', ['2'], 2],
  ['an object with fewer keys', [{ a: 1 }], { a: 1, b: 2 }],
  ['an object in prose', 'no JSON here', { a: 1 }],
  ['anything in no answer', undefined, 'x'],
];

test.each(CONTAINED)('contained: %s', (_name, output, value) => {
  expect(verdictOn(output, { type: 'contains', value })).toEqual({ type: 'contains', status: 'passed' });
  expect(verdictOn(output, { type: 'not_contains', value })).toMatchObject({
    status: 'failed',
    expected: value,
  });
});

test.each(NOT_CONTAINED)('not contained: %s', (_name, output, value) => {
  expect(verdictOn(output, { type: 'contains', value })).toMatchObject({ status: 'failed', expected: value });
  expect(verdictOn(output, { type: 'not_contains', value })).toEqual({
    type: 'not_contains',
    status: 'passed',
  });
});

test('a failure says what was looked for and where', () => {
  expect(verdictOn('fine', { type: 'contains', value: 'error' })).toEqual({
    type: 'contains',
    status: 'failed',
    message: 'the answer does not contain "error"',
    expected: 'error',
    actual: 'fine',
  });
  expect(verdictOn('an error', { type: 'not_contains', value: 'error' })).toEqual({
    type: 'not_contains',
    status: 'failed',
    message: 'the answer contains "error"',
    expected: 'error',
    actual: 'an error',
  });
});

test('an answer nested deeper than calls can be is searched', () => {
  let output: unknown = [7];
  for (let depth = 0; depth < 200_000; depth++) output = [output];
  expect(verdictOn(output, { type: 'contains', value: 7 })).toEqual({ type: 'contains', status: 'passed' });
});
