import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

test.each<[string, unknown, unknown]>([
  ['a text', 'hello', 'hello'],
  ['key order is free', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }],
  ['JSON in a text', '{"need_search": false}', { need_search: false }],
  ['JSON in a block', 'Here:\n```json\n{"a": [1]}\n```', { a: [1] }],
  ['JSON in prose', 'It is {"a": 1}, I think', { a: 1 }],
  ['a number as text', '42', 42],
  ['null', null, null],
  ['nothing for null', undefined, null],
  ['zero', -0, 0],
])('passes: %s', (_name, output, value) => {
  expect(verdictOn(output, { type: 'equals', value })).toEqual({ type: 'equals', status: 'passed' });
});

test.each<[string, unknown, unknown]>([
  ['another text', 'hello ', 'hello'],
  ['letter case', 'Hello', 'hello'],
  ['a text is not searched for a text', '"hello"', 'hello'],
  ['one key more', { a: 1, b: 2 }, { a: 1 }],
  ['element order', [1, 2], [2, 1]],
  ['a text for a number', 42, '42'],
])('fails: %s', (_name, output, value) => {
  expect(verdictOn(output, { type: 'equals', value })).toMatchObject({
    status: 'failed',
    expected: value,
    actual: output,
  });
});

test('a failure shows the JSON it compared and the difference', () => {
  expect(verdictOn('So: {"a": 1}', { type: 'equals', value: { a: 2 } })).toEqual({
    type: 'equals',
    status: 'failed',
    message: 'the answer is not the expected one',
    expected: { a: 2 },
    actual: { a: 1 },
    diff: ['- expected', '+ actual', '', '  {', '-   "a": 2', '+   "a": 1', '  }'].join('\n'),
  });
});
