import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

test.each<[string, object, unknown]>([
  ['start', { type: 'starts_with', value: 'Hello' }, 'Hello, world'],
  ['the whole', { type: 'starts_with', value: 'Hello' }, 'Hello'],
  ['start, another case', { type: 'starts_with', value: 'HELLO', ignore_case: true }, 'Hello, world'],
  ['end', { type: 'ends_with', value: 'world' }, 'Hello, world'],
  ['end, another case', { type: 'ends_with', value: 'WORLD', ignore_case: true }, 'Hello, world'],
  ['the JSON text', { type: 'starts_with', value: '{"a"' }, { a: 1 }],
])('passes: %s', (_name, assertion, output) => {
  const { type } = assertion as { type: string };
  expect(verdictOn(output, { ...assertion, type })).toEqual({ type, status: 'passed' });
});

test('a failure shows the beginning or the end', () => {
  expect(verdictOn(' Hello, dear old world', { type: 'starts_with', value: 'Hello' })).toEqual({
    type: 'starts_with',
    status: 'failed',
    message: 'the answer starts with " Hello, dear old world", not with "Hello"',
    expected: 'Hello',
    actual: ' Hello, dear old world',
  });
  expect(verdictOn('world\n', { type: 'ends_with', value: 'world' })).toEqual({
    type: 'ends_with',
    status: 'failed',
    message: 'the answer ends with "world\\n", not with "world"',
    expected: 'world',
    actual: 'world\n',
  });
  expect(verdictOn(undefined, { type: 'ends_with', value: 'x' }).status).toBe('failed');
});
