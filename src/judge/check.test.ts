import { expect, test } from 'vitest';
import { object, optional } from '../schema/object.ts';
import { findProblems } from '../schema/problems.ts';
import { assertionsShape } from './check.ts';
import { assertionTypes } from './registry.ts';

const shape = object({ assert: optional(assertionsShape) });

function checkAssertions(assert: unknown) {
  return findProblems(shape, { assert }, { wrong: 'must be' });
}

test.each<[unknown]>([
  [undefined],
  [{ type: 'equals', value: null, message: 'm', negate: true }],
  [{ type: 'contains', value: '' }],
  [
    [
      { type: 'json_path', path: '$.a' },
      { type: 'json_path', path: 'a.b', value: [1] },
    ],
  ],
  [{ type: 'regex', value: '(?i)x' }],
  [{ type: 'type', value: 'integer' }],
  [{ type: 'schema', value: { type: 'object', examples: [], $defs: {} } }],
  [{ type: 'schema', value: true }],
  [{ type: 'script', script: 'scripts.test.X', value: 1 }],
  [{ type: 'tool_called', value: ['a', { name: 'b', arguments: {} }] }],
  [{ type: 'tool_result', value: { name: 'a', result: null } }],
  [{ type: 'tool_result', name: 'a' }],
  [
    [
      { type: 'latency', value: '1m30s' },
      { type: 'latency', value: 200 },
    ],
  ],
  [
    [
      { type: 'tokens', value: 10 },
      { type: 'tokens', value: { input: 1, total: 2 } },
    ],
  ],
  [{ type: 'cost', value: 0 }],
  [
    [
      { type: 'agent', use: 'agents:judge', value: 'is polite', threshold: 0.7 },
      { type: 'agent', use: 'judge', value: ['is polite', 'is short'], options: { metadata: { a: 1 } } },
      { type: 'agent', connector: 'openai', value: { tone: 'polite' } },
      { type: 'agent', value: 'is polite', options: { connector: 'openai', temperature: 0 } },
    ],
  ],
  [
    [
      { type: 'similar' },
      { type: 'similar', value: '', threshold: 0 },
      { type: 'similar', value: { a: 1 }, threshold: 1, connector: 'openai' },
    ],
  ],
  [
    [
      { type: 'trajectory', value: [] },
      {
        type: 'trajectory',
        value: ['a', { name: 'b', arguments: {} }],
        mode: 'superset',
        arguments: 'subset',
      },
    ],
  ],
])('finds nothing wrong with %j', (assert) => {
  expect(checkAssertions(assert)).toEqual([]);
});

const TYPES = `the types are ${Object.keys(assertionTypes).join(', ')}`;

test.each<[unknown, string, string?]>([
  ['equals', 'an assertion is an object with a "type", not "equals"'],
  [null, 'an assertion is an object with a "type", not null'],
  [{ value: 1 }, 'an assertion needs a "type"', TYPES],
  [{ type: 1 }, 'the "type" of an assertion is a name, not 1', TYPES],
  [{ type: 'equal', value: 1 }, 'unknown assertion type "equal"', 'did you mean "equals"?'],
  [{ type: 'constructor' }, 'unknown assertion type "constructor"', TYPES],
  [{ type: 'equals' }, '"equals" needs a "value"'],
  [
    { type: 'contains', value: 1, negated: true },
    'unknown field "negated" of "contains"',
    'did you mean "negate"?',
  ],
  [
    { type: 'equals', value: 1, path: '$.a' },
    '"equals" has no "path"',
    'use "json_path" to look at a part of the answer',
  ],
  [{ type: 'equals', value: 1, negate: 'yes' }, '"assert.negate" must be true or false'],
  [{ type: 'equals', value: 1, message: 1 }, '"assert.message" must be a string'],
  [
    { type: 'regex', value: '[' },
    'error parsing regexp: missing closing ]: `[`',
    'patterns have the syntax of Go (RE2), without look-around and back-references',
  ],
  [{ type: 'regex' }, '"regex" needs a pattern as "value", a string'],
  [{ type: 'json_path', value: 1 }, '"json_path" needs a "path", such as "$.field.sub"'],
  [{ type: 'json_path', path: '$.a[' }, `path "$.a[": unclosed bracketed selection ('$.a[':4)`],
  [{ type: 'type', value: 'bool' }, 'unknown type "bool"', 'did you mean "boolean"?'],
  [
    { type: 'type', value: 7 },
    'unknown type 7',
    'the types are array, boolean, integer, null, number, object, string',
  ],
  [{ type: 'schema' }, '"schema" needs a "value"'],
  [{ type: 'schema', value: 'x' }, 'the schema is not valid: "x" is not a JSON Schema'],
  [
    { type: 'schema', value: { requird: [] } },
    'the schema is not valid: strict mode: unknown keyword: "requird"',
  ],
  [{ type: 'schema', value: { $async: true } }, 'the schema is not valid: "$async" is not supported'],
  [
    { type: 'schema', value: { $schema: 'urn:x' } },
    'the schema is not valid: unknown "$schema" "urn:x"; draft 2020-12 and draft-07 are supported',
  ],
  [
    { type: 'schema', value: { pattern: '(?=a)' } },
    'the schema is not valid: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
  ],
  [{ type: 'latency', value: '2' }, 'invalid duration "2": missing unit, write it like 500ms, 30s or 1h30m'],
  [{ type: 'latency', value: true }, 'invalid duration true: write it like "2s", or as milliseconds'],
  [{ type: 'cost', value: '1' }, '"cost" needs a number of US dollars as "value", not "1"'],
  [{ type: 'tokens', value: 'x' }, '"tokens" needs a number or {input, output, total} as "value", not "x"'],
  [
    { type: 'tokens', value: { inputs: 1 } },
    'unknown field "inputs" in the value of "tokens"',
    'did you mean "input"?',
  ],
  [{ type: 'tokens', value: { input: '1' } }, '"input" of "tokens" must be a number, not "1"'],
  [{ type: 'tool_called', value: [] }, 'the list of "tool_called" is empty'],
  [{ type: 'tool_called', value: 1 }, '"tool_called" needs a name or {name, arguments}, not 1'],
  [
    { type: 'tool_called', value: { name: 'x', args: {} } },
    'unknown field "args" in the value of "tool_called"',
    'it may have arguments, name',
  ],
  [{ type: 'tool_called', value: { arguments: {} } }, 'the value of "tool_called" needs a "name"'],
  [{ type: 'tool_result', value: 'x' }, '"tool_result" needs {name, result} as "value", not "x"'],
  [{ type: 'tool_result', value: { result: 1 } }, '"tool_result" needs the "name" of a tool'],
  [{ type: 'agent', use: 'judge' }, '"agent" needs a "value"'],
  [
    { type: 'agent', use: 'judge', value: ' ' },
    '"agent" needs criteria as "value", such as a sentence, not " "',
  ],
  [
    { type: 'agent', use: 'judge', value: [] },
    '"agent" needs criteria as "value", such as a sentence, not []',
  ],
  [
    { type: 'agent', value: 'x' },
    '"agent" needs a judge',
    'name an agent as "use", or a "connector" for the built-in judge',
  ],
  [{ type: 'agent', value: 'x', use: '' }, '"assert.use" must be the id of an agent, such as "agents:judge"'],
  [{ type: 'agent', value: 'x', connector: 1 }, '"assert.connector" must be the id of a connector'],
  [
    { type: 'agent', value: 'x', use: 'a', threshold: '1' },
    '"assert.threshold" must be a number from 0 to 1',
  ],
  [{ type: 'agent', value: 'x', use: 'a', options: [] }, '"assert.options" must be an object'],
  [
    { type: 'agent', value: 'x', use: 'a', options: { connector: '' } },
    '"assert.options.connector" must be the id of a connector',
  ],
  [
    { type: 'agent', value: 'x', use: 'a', options: { metadata: 1 } },
    '"assert.options.metadata" must be an object',
  ],
  [{ type: 'similar', threshold: 80 }, '"assert.threshold" must be a number from 0 to 1'],
  [{ type: 'similar', connector: null }, '"assert.connector" must be the id of a connector'],
  [{ type: 'trajectory' }, '"trajectory" needs a "value"'],
  [{ type: 'trajectory', value: 'a' }, '"trajectory" needs a list of calls as "value", not "a"'],
  [{ type: 'trajectory', value: [1] }, '"trajectory" needs a name or {name, arguments}, not 1'],
  [
    { type: 'trajectory', value: [], mode: 'superset' },
    'the list of "trajectory" is empty, so in mode "superset" every answer passes',
  ],
  [
    { type: 'trajectory', value: ['a'], mode: 'unorderd' },
    '"assert.mode" must be "strict", "subset", "superset" or "unordered"',
    'did you mean "unordered"?',
  ],
  [
    { type: 'trajectory', value: ['a'], arguments: {} },
    '"assert.arguments" must be "exact", "ignore" or "subset"',
  ],
])('%j: %s', (assert, message, hint) => {
  const whole = message.startsWith('"assert.') ? message : `assert: ${message}`;
  expect(checkAssertions(assert)).toEqual([{ message: whole, hint }]);
});

test('an empty list checks nothing, which is a mistake', () => {
  expect(checkAssertions([])).toEqual([
    { message: 'assert: the list is empty', hint: 'add an assertion, or remove the field' },
  ]);
});

test('all problems are reported, with their places', () => {
  expect(checkAssertions([{ type: 'equals', valu: 1 }, { type: 'contains', value: 1 }, 3])).toEqual([
    { message: 'assert[0]: unknown field "valu" of "equals"', hint: 'did you mean "value"?' },
    { message: 'assert[0]: "equals" needs a "value"' },
    { message: 'assert[2]: an assertion is an object with a "type", not 3' },
  ]);
});

test('checks hundreds of thousands of simple assertions a second', () => {
  const assert = [
    { type: 'contains', value: 'x' },
    { type: 'regex', value: '\\d+' },
    { type: 'json_path', path: 'a.b' },
  ];
  const started = performance.now();
  for (let count = 0; count < 100_000; count++) checkAssertions(assert);
  expect(performance.now() - started).toBeLessThan(1500);
});
