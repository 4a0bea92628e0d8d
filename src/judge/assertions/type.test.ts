import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

test.each<[unknown, string]>([
  ['text', 'string'],
  ['{"a": 1}', 'string'],
  [1.5, 'number'],
  [2, 'number'],
  [2, 'integer'],
  [true, 'boolean'],
  [{}, 'object'],
  [[], 'array'],
  [null, 'null'],
  [undefined, 'null'],
  ['So: {"a": 1}', 'object'],
  ['```json\n[1]\n```', 'array'],
  ['42', 'integer'],
])('%j is of type %s', (output, value) => {
  expect(verdictOn(output, { type: 'type', value })).toEqual({ type: 'type', status: 'passed' });
});

test.each<[unknown, string, string]>([
  ['text', 'object', 'string'],
  ['[1]', 'object', 'array'],
  [1.5, 'integer', 'number'],
  [{}, 'string', 'object'],
  [null, 'object', 'null'],
  [[], 'object', 'array'],
])('%j is not of type %s', (output, value, actual) => {
  expect(verdictOn(output, { type: 'type', value })).toEqual({
    type: 'type',
    status: 'failed',
    message: `the answer is of type ${actual}, not ${value}`,
    expected: value,
    actual,
  });
});
