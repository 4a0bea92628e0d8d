import { expect, test } from 'vitest';
import type { Assertion } from '../../model/case.ts';
import { verdictOn } from '../judge.fixture.ts';

const isJson = (output: unknown, fields: Partial<Assertion> = {}) =>
  verdictOn(output, { type: 'is_json', ...fields });
const NUMBERED = { type: 'object', required: ['a'], properties: { a: { type: 'number' } } };

test.each<[string, unknown, Partial<Assertion>]>([
  ['an object', ' {"a": 1}\n', {}],
  ['a text in quotes', '"yes"', {}],
  ['a structured answer', { a: 1 }, {}],
  ['a schema', '{"a": 1}', { value: NUMBERED }],
  ['in a text', 'Sure:\n```json\n{"a": 1}\n```', { in_text: true, value: NUMBERED }],
])('passes: %s', (_name, output, fields) => {
  expect(isJson(output, fields)).toEqual({ type: 'is_json', status: 'passed' });
});

test.each<[string, unknown, Partial<Assertion>, object]>([
  ['prose', 'yes', {}, { message: 'the answer as a whole is not JSON', actual: 'yes' }],
  [
    'JSON in a text',
    'Sure: {"a": 1}',
    {},
    {
      message: 'the answer as a whole is not JSON; "in_text": true accepts the JSON inside of it',
      actual: 'Sure: {"a": 1}',
    },
  ],
  ['no JSON in a text', 'yes', { in_text: true }, { message: 'no JSON found in the answer', actual: 'yes' }],
  ['no answer', null, {}, { message: 'no answer' }],
  [
    'another schema',
    '{"a": "1"}',
    { value: NUMBERED },
    {
      message: 'the answer does not fit the schema: /a must be number',
      expected: NUMBERED,
      actual: { a: '1' },
    },
  ],
])('fails: %s', (_name, output, fields, verdict) => {
  expect(isJson(output, fields)).toEqual({ type: 'is_json', status: 'failed', ...verdict });
});
