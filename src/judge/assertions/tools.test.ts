import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

const tool_calls = [
  {
    name: 'web__search',
    arguments: { query: 'cats', page: { size: 10, number: 1 } },
    result: { hits: 3, more: true },
  },
  { name: 'files.read', arguments: '{"path": "a.txt"}', result: 'the content' },
  { name: 'weather', arguments: {}, error: 'no such city' },
  { name: 'count', result: '{"n": 1}' },
];
const called = (value: unknown) => verdictOn('x', { type: 'tool_called', value }, { tool_calls });
const result = (fields: object) => verdictOn('x', { type: 'tool_result', ...fields }, { tool_calls });

test.each<[string, unknown]>([
  ['the whole name', 'web__search'],
  ['after two underscores', 'search'],
  ['after a dot', 'read'],
  ['any of a list', ['nope', 'weather']],
  ['a subset of the arguments', { name: 'search', arguments: { query: 'cats', page: { size: 10 } } }],
  ['arguments as JSON text', { name: 'read', arguments: { path: 'a.txt' } }],
  ['any of a list with arguments', ['nope', { name: 'search', arguments: { query: 'cats' } }]],
  ['just the name', { name: 'weather' }],
])('tool_called passes: %s', (_name, value) => {
  expect(called(value)).toEqual({ type: 'tool_called', status: 'passed' });
});

test.each<[string, unknown]>([
  ['a part of a name', 'arch'],
  ['the server', 'web'],
  ['the end of a word', 'eather'],
  ['other arguments', { name: 'search', arguments: { query: 'dogs' } }],
  ['arguments it did not get', { name: 'weather', arguments: { city: 'Rome' } }],
])('tool_called fails: %s', (_name, value) => {
  expect(called(value)).toMatchObject({ status: 'failed' });
});

test('tool_called shows what was called instead', () => {
  expect(called('book')).toEqual({
    type: 'tool_called',
    status: 'failed',
    message: 'tool "book" was not called; called: "web__search", "files.read", "weather", "count"',
    expected: 'book',
    actual: ['web__search', 'files.read', 'weather', 'count'],
  });
  expect(verdictOn('x', { type: 'tool_called', value: ['a', 'b'] }, { tool_calls: [] })).toEqual({
    type: 'tool_called',
    status: 'failed',
    message: 'tool "a" or "b" was not called; no tool was called',
    expected: ['a', 'b'],
    actual: [],
  });
});

test('tool_called shows the arguments that differ, and only those asked for', () => {
  expect(called({ name: 'search', arguments: { query: 'dogs' } })).toEqual({
    type: 'tool_called',
    status: 'failed',
    message: 'tool "search" was called, but not with these arguments',
    expected: { name: 'search', arguments: { query: 'dogs' } },
    actual: tool_calls,
    diff: ['- expected', '+ actual', '', '  {', '-   "query": "dogs"', '+   "query": "cats"', '  }'].join(
      '\n',
    ),
  });
});

test.each<[string, object]>([
  ['an object with more entries', { value: { name: 'search', result: { hits: 3 } } }],
  ['a part of a text', { value: { name: 'read', result: 'content' } }],
  ['a result as JSON text', { value: { name: 'count', result: { n: 1 } } }],
  ['a name beside the value', { name: 'read', value: 'content' }],
  ['any result', { value: { name: 'search' } }],
  ['any result, by name', { name: 'search' }],
])('tool_result passes: %s', (_name, fields) => {
  expect(result(fields)).toEqual({ type: 'tool_result', status: 'passed' });
});

test('tool_result says why it fails', () => {
  expect(result({ value: { name: 'search', result: { hits: 4 } } })).toEqual({
    type: 'tool_result',
    status: 'failed',
    message: 'tool "search" did not give this result',
    expected: { hits: 4 },
    actual: { hits: 3, more: true },
    diff: ['- expected', '+ actual', '', '  {', '-   "hits": 4', '+   "hits": 3', '  }'].join('\n'),
  });
  expect(result({ value: { name: 'weather' } })).toEqual({
    type: 'tool_result',
    status: 'failed',
    message: 'tool "weather" failed: no such city',
    actual: 'no such city',
  });
  expect(result({ name: 'book', value: 1 })).toMatchObject({
    message: 'tool "book" was not called; called: "web__search", "files.read", "weather", "count"',
  });
});

test.each([
  { type: 'tool_called', value: 'delete_account' },
  { type: 'tool_called', value: 'delete_account', negate: true },
  { type: 'tool_result', value: { name: 'delete_account' } },
  { type: 'tool_result', value: { name: 'delete_account' }, negate: true },
])('an agent that reports no calls cannot be judged: $type, negate $negate', (assertion) => {
  expect(verdictOn('x', assertion, {})).toEqual({
    type: assertion.type,
    status: 'error',
    message:
      'the agent did not report its tool calls; it must answer {output, tool_calls: […]}, with an empty list if it made none',
    ...(assertion.negate && { negate: true }),
  });
  expect(verdictOn('x', assertion, { tool_calls: [] })).toMatchObject({
    status: assertion.negate === true ? 'passed' : 'failed',
  });
});

test.each([
  { type: 'tool_result', name: 'book' },
  { type: 'tool_result', name: 'book', value: 'done' },
  { type: 'tool_result', name: 'book', value: 'done', negate: true },
])('a call without a result or an error cannot be judged: $value, negate $negate', (assertion) => {
  const message =
    'the agent did not report what tool "book" returned; each of its tool_calls must have "result" (null if there is none) or "error"';
  const asked = { name: 'book', arguments: { room: 1 } };
  expect(verdictOn('x', assertion, { tool_calls: [asked, { name: 'book', error: 'full' }] })).toMatchObject({
    status: 'error',
    message,
  });
  const done = { name: 'book', result: 'done' };
  expect(verdictOn('x', assertion, { tool_calls: [asked, done] })).toMatchObject({
    status: assertion.negate === true ? 'failed' : 'passed',
  });
});

test.each<[string, object]>([
  ['tool instead of name', { value: { tool: 'search', result: { hits: 3 } } }],
  ['tool beside the value', { tool: 'search', value: { hits: 3 } }],
  ['a pattern', { tool: 'read', value: 'regex:^the .*nt$' }],
  ['a pattern inside', { value: { tool: 'search', result: { hits: 'regex:^[0-9]$', more: true } } }],
])('tool_result passes: %s', (_name, fields) => {
  expect(result(fields)).toEqual({ type: 'tool_result', status: 'passed' });
});

test('tool_result fails if a pattern does not match', () => {
  expect(result({ tool: 'read', value: 'regex:^content' })).toMatchObject({ status: 'failed' });
  expect(result({ tool: 'search', value: { hits: 'regex:^x' } })).toMatchObject({ status: 'failed' });
});
