import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

const on = (output: unknown, path: string, value?: unknown) =>
  verdictOn(output, { type: 'json_path', path, ...(value !== undefined && { value }) });

const answer = {
  need_search: false,
  confidence: 0.99,
  items: [{ name: 'a' }, { name: 'b' }],
  none: null,
  tags: ['x'],
};

test.each<[string, unknown, string, unknown]>([
  ['a field', answer, '$.need_search', false],
  ['the short form', answer, 'items[1].name', 'b'],
  ['a text answer', JSON.stringify(answer), '$.confidence', 0.99],
  [
    'a fenced answer',
    `Sure:\n\`\`\`json\n${JSON.stringify(answer, undefined, 2)}\n\`\`\``,
    'need_search',
    false,
  ],
  ['one of', answer, '$.confidence', [0.98, 0.99]],
  ['a list is itself', answer, '$.tags', ['x']],
  ['null', answer, '$.none', null],
  ['many', answer, '$.items[*].name', ['a', 'b']],
  ['many that are one', answer, '$.items[?@.name == "b"].name', 'b'],
  ['a list found by search', answer, '$..tags', ['x']],
  ['a whole object', answer, '$.items[0]', { name: 'a' }],
  ['just there', answer, '$.none', undefined],
])('passes: %s', (_name, output, path, value) => {
  expect(on(output, path, value)).toEqual({ type: 'json_path', status: 'passed' });
});

test('a difference is shown with the path', () => {
  expect(on(answer, '$.need_search', true)).toEqual({
    type: 'json_path',
    status: 'failed',
    message: 'path $.need_search is false, not true',
    path: '$.need_search',
    expected: true,
    actual: false,
    diff: '- expected\n+ actual\n\n- true\n+ false',
  });
});

test.each<[string, unknown, string, unknown, string]>([
  ['a list is not one of its elements', answer, '$.tags', ['x', 'y'], 'path $.tags is ["x"], not ["x","y"]'],
  ['none of', answer, '$.confidence', [1, 2], 'path $.confidence is 0.99, which is none of [1,2]'],
  ['a text for a number', answer, 'confidence', '0.99', 'path confidence is 0.99, not "0.99"'],
  ['many for one', answer, '$.items[*].name', 'a', 'path $.items[*].name leads to ["a","b"], not to "a"'],
  [
    'one of many',
    { l: [{ n: 'a' }] },
    '$.l[*].n',
    ['a', 'b'],
    'path $.l[*].n leads to ["a"], not to ["a","b"]',
  ],
  ['no JSON', 'I do not know', '$.a', 1, 'no JSON found in the answer'],
  ['no answer', undefined, '$.a', 1, 'path $.a not found: there is null'],
  [
    'a misspelt name',
    answer,
    '$.need_serch',
    true,
    'path $.need_serch not found: there is "need_search", "confidence", "items", "none", "tags"; did you mean "need_search"?',
  ],
  ['below a list', answer, 'items.name', 'a', 'path items.name not found: there is a list of 2'],
  ['behind the end', answer, 'items[2]', 'a', 'path items[2] not found: there is a list of 2'],
  ['below a value', answer, 'confidence.x', 1, 'path confidence.x not found: there is 0.99'],
  ['in an empty object', {}, 'a', undefined, 'path a not found: there is an empty object'],
  ['an inherited name', { a: 1 }, 'constructor', undefined, 'path constructor not found: there is "a"'],
])('fails: %s', (_name, output, path, value, message) => {
  expect(on(output, path, value)).toMatchObject({ status: 'failed', message, path });
});

test('a search that finds nothing fails, even for an empty list', () => {
  expect(on(answer, '$.items[?@.bad]', [])).toMatchObject({ status: 'failed' });
  expect(verdictOn(answer, { type: 'json_path', path: '$.items[?@.bad]', negate: true })).toEqual({
    type: 'json_path',
    status: 'passed',
  });
});
