import { expect, test } from 'vitest';
import type { Assertion } from '../model/case.ts';
import { subjectOf, verdictOn } from './judge.fixture.ts';
import { judge, NO_DEPS } from './judge.ts';

/** What becomes of 12345678901234567890, and of every number near it. */
const LARGE = Number('12345678901234567890');

const message = `whether the answer has the number 12345678901234567168 cannot be told: JSON numbers beyond 2^53 lose their last digits. Let the agent answer with a text, or search the text of the answer with "regex"`;

test.each<[unknown, Assertion]>([
  ['12345678901234567891', { type: 'equals', value: LARGE }],
  ['12345678901234567891', { type: 'equals', value: LARGE, negate: true }],
  ['So: {"id": [12345678901234567891]}', { type: 'equals', value: { id: [LARGE] } }],
  [LARGE, { type: 'equals', value: LARGE }],
  ['{"id": 12345678901234567891}', { type: 'json_path', path: 'id', value: LARGE }],
  ['{"id": 12345678901234567891}', { type: 'json_path', path: 'id', value: [1, LARGE] }],
  ['{"id": 12345678901234567891}', { type: 'json_path', path: '$.*', value: [LARGE] }],
  ['{"id": 12345678901234567891}', { type: 'contains', value: { id: LARGE } }],
  ['12345678901234567890', { type: 'contains', value: LARGE }],
  ['12345678901234567890', { type: 'not_contains', value: LARGE }],
  ['12345678901234567890', { type: 'contains_all', value: [LARGE] }],
])('%j cannot be compared: %j', (output, assertion) => {
  const { type, path, negate } = assertion;
  expect(verdictOn(output, assertion)).toEqual({
    type,
    status: 'error',
    message,
    ...(path !== undefined && { path }),
    ...(negate !== undefined && { negate }),
  });
});

test('arguments and results of tools cannot be compared either', () => {
  const call = { name: 'find', arguments: '{"id": 12345678901234567891}', result: { id: LARGE } };
  const subject = subjectOf('', { tool_calls: [call] });
  const wanted = { name: 'find', arguments: { id: LARGE } };
  const assertions: Assertion[] = [
    { type: 'tool_called', value: wanted },
    { type: 'tool_result', name: 'find', value: { id: LARGE } },
    { type: 'trajectory', value: [wanted] },
    { type: 'trajectory', value: [wanted], arguments: 'exact' },
  ];
  expect(judge(subject, assertions, NO_DEPS)).toEqual(
    assertions.map(({ type }) => ({ type, status: 'error', message })),
  );
});

test('what certainly differs fails, and numbers up to 2^53 are exact', () => {
  expect(verdictOn('5', { type: 'equals', value: LARGE }).status).toBe('failed');
  expect(
    verdictOn('{"id": 12345678901234567891, "a": 1}', { type: 'equals', value: { id: LARGE } }).status,
  ).toBe('failed');
  expect(verdictOn('9007199254740991', { type: 'equals', value: 9007199254740991 }).status).toBe('passed');
  expect(verdictOn('12345678901234567890', { type: 'equals', value: '12345678901234567890' }).status).toBe(
    'passed',
  );
});
