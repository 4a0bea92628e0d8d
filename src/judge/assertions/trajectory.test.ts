import { expect, test } from 'vitest';
import { verdictOn } from '../judge.fixture.ts';

const tool_calls = [
  { name: 'crm__look_up', arguments: { id: 7 }, result: { plan: 'enterprise' } },
  { name: 'search', arguments: '{"query": "cats", "page": 1}' },
  { name: 'search', arguments: { query: 'dogs', page: 1 } },
  { name: 'stop' },
];
const made = tool_calls.map(({ name, arguments: given }) => ({
  name,
  ...(given !== undefined && { arguments: given }),
}));
const trajectory = (value: unknown[], fields: object = {}) =>
  verdictOn('x', { type: 'trajectory', value, ...fields }, { tool_calls });

const cats = { name: 'search', arguments: { query: 'cats', page: 1 } };
const dogs = { name: 'search', arguments: { query: 'dogs', page: 1 } };
const someCats = { name: 'search', arguments: { query: 'cats' } };

test.each<[string, unknown[], object]>([
  ['the names in order', ['look_up', 'search', 'search', 'stop'], {}],
  ['the arguments in order, as JSON or as text', ['look_up', cats, dogs, 'stop'], {}],
  ['a whole name', ['crm__look_up', cats, dogs, 'stop'], {}],
  ['no arguments', ['look_up', cats, dogs, { name: 'stop', arguments: {} }], {}],
  ['a part of the arguments', ['look_up', someCats, dogs, 'stop'], { arguments: 'subset' }],
  ['arguments that do not matter', ['look_up', dogs, cats, 'stop'], { arguments: 'ignore' }],
  ['another order', ['stop', dogs, cats, 'look_up'], { mode: 'unordered' }],
  [
    'the one with arguments left for who needs it',
    ['stop', 'search', cats, 'look_up'],
    { mode: 'unordered' },
  ],
  ['all that were made and one more', ['stop', 'book', dogs, cats, 'look_up'], { mode: 'subset' }],
  ['some that were made', [dogs, 'look_up'], { mode: 'superset' }],
  ['the same twice, made twice', ['search', 'search'], { mode: 'superset' }],
  ['none of it, negated', ['stop', 'look_up'], { negate: true }],
])('passes: %s', (_name, value, fields) => {
  expect(trajectory(value, fields)).toEqual({ type: 'trajectory', status: 'passed' });
});

const CALLED = 'called: "crm__look_up", "search" (2 times), "stop"';

test.each<[string, unknown[], object, string]>([
  ['strict: another order', ['look_up', 'stop'], {}, 'call 2 is "search", but "stop" was expected'],
  ['strict: one too many', ['look_up', 'search', 'search'], {}, 'call 4, "stop", was not expected'],
  [
    'strict: one too few',
    ['look_up', 'search', 'search', 'stop', 'book'],
    {},
    `expected call 5, "book", was not made; ${CALLED}`,
  ],
  ['strict: none expected', [], {}, 'call 1, "crm__look_up", was not expected'],
  [
    'unordered: missing',
    ['stop', 'book', 'look_up', 'search', 'search'],
    { mode: 'unordered' },
    `expected call 2, "book", was not made; ${CALLED}`,
  ],
  [
    'unordered: extra',
    ['stop', 'search', 'search'],
    { mode: 'unordered' },
    'call 1, "crm__look_up", was not expected',
  ],
  [
    'subset: more often than expected',
    ['stop', 'search', 'look_up'],
    { mode: 'subset' },
    'call 3, "search", was not expected',
  ],
  [
    'superset: less often than expected',
    ['search', 'search', 'search'],
    { mode: 'superset' },
    `expected call 3, "search", was not made; ${CALLED}`,
  ],
])('fails: %s', (_name, value, fields, message) => {
  expect(trajectory(value, fields)).toEqual({
    type: 'trajectory',
    status: 'failed',
    message,
    expected: value,
    actual: made,
  });
});

const birds = { name: 'search', arguments: { query: 'birds', page: 1 } };

test.each<[string, unknown[], object, string[]]>([
  [
    'strict',
    ['look_up', someCats],
    {},
    ['call 2, "search", has other arguments than expected', '+   "page": 1,', '    "query": "cats"'],
  ],
  [
    'subset of the arguments',
    ['look_up', { name: 'search', arguments: { query: 'dogs' } }],
    { arguments: 'subset' },
    ['call 2, "search", has other arguments than expected', '-   "query": "dogs"', '+   "query": "cats"'],
  ],
  [
    'unordered',
    ['stop', birds, cats, 'look_up'],
    { mode: 'unordered' },
    [
      'call 3, "search", has other arguments than expected',
      '    "page": 1,',
      '-   "query": "birds"',
      '+   "query": "dogs"',
    ],
  ],
  [
    'subset',
    ['stop', birds, dogs, 'look_up'],
    { mode: 'subset' },
    [
      'call 2, "search", has other arguments than expected',
      '    "page": 1,',
      '-   "query": "birds"',
      '+   "query": "cats"',
    ],
  ],
  [
    'superset',
    [dogs, birds],
    { mode: 'superset' },
    [
      'call 2, "search", has other arguments than expected',
      '    "page": 1,',
      '-   "query": "birds"',
      '+   "query": "cats"',
    ],
  ],
])('shows the arguments that differ: %s', (_name, value, fields, [message, ...lines]) => {
  expect(trajectory(value, fields)).toEqual({
    type: 'trajectory',
    status: 'failed',
    message,
    expected: value,
    actual: made,
    diff: ['- expected', '+ actual', '', '  {', ...lines, '  }'].join('\n'),
  });
});

test('an agent that made no call did what was expected of it', () => {
  expect(verdictOn('x', { type: 'trajectory', value: [] }, { tool_calls: [] })).toEqual({
    type: 'trajectory',
    status: 'passed',
  });
  expect(verdictOn('x', { type: 'trajectory', value: ['stop'] }, { tool_calls: [] })).toMatchObject({
    message: 'expected call 1, "stop", was not made; no tool was called',
  });
});

test.each(['strict', 'unordered', 'subset', 'superset'])(
  'an agent that reports no calls cannot be judged, negated or not: %s',
  (mode) => {
    const message =
      'the agent did not report its tool calls; it must answer {output, tool_calls: […]}, with an empty list if it made none';
    const assertion = { type: 'trajectory', value: ['stop'], mode };
    expect(verdictOn('x', assertion)).toEqual({ type: 'trajectory', status: 'error', message });
    expect(verdictOn('x', { ...assertion, negate: true })).toEqual({
      type: 'trajectory',
      status: 'error',
      message,
      negate: true,
    });
  },
);
