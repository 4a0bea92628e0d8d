import { expect, test } from 'vitest';
import { object, optional } from '../schema/object.ts';
import { findProblems } from '../schema/problems.ts';
import { assertionsShape } from './check.ts';
import { SCORING_TYPES } from '../model/scores.ts';
import { assertionTypes, TYPE_NAMES } from './registry.ts';

const shape = object({ assert: optional(assertionsShape) });

function checkAssertions(assert: unknown) {
  return findProblems(shape, { assert }, { wrong: 'must be' });
}

test.each<[unknown]>([
  [undefined],
  [{ type: 'equals', value: null, message: 'm', negate: true }],
  [{ type: 'contains', value: ' ' }],
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
  [
    [
      { type: 'contains', value: 'x', ignore_case: true },
      { type: 'contains_any', value: ['x', 1, null], ignore_case: true },
      { type: 'contains_all', value: [{ a: 1 }] },
      { type: 'icontains', value: 'x' },
      { type: 'starts_with', value: 'x', ignore_case: true },
      { type: 'ends_with', value: 'x' },
      { type: 'length', value: 0 },
      { type: 'length', value: { min: 1, max: 1, unit: 'words' } },
      { type: 'is_json' },
      { type: 'is_json', value: { type: 'object' }, in_text: true },
      { type: 'levenshtein', max_distance: 0 },
      { type: 'levenshtein', value: ['a', 'b'], threshold: 0.5 },
      { type: 'rouge', variant: '2', threshold: 0.5 },
      { type: 'bleu' },
    ],
  ],
  [{ type: 'equals', value: 1, weight: 0.5, metric: 'accuracy/exact match', advisory: true }],
  [
    {
      type: 'any_of',
      message: 'm',
      negate: true,
      weight: 2,
      value: [
        { type: 'contains', value: 'x', message: 'm', negate: true, of: 'messages' },
        { type: 'all_of', value: [{ type: 'contains', value: 'y' }] },
      ],
    },
  ],
])('finds nothing wrong with %j', (assert) => {
  expect(checkAssertions(assert)).toEqual([]);
});

const TYPES = `the types are ${TYPE_NAMES.join(', ')}`;

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
  [{ type: 'icontains', value: 1 }, '"icontains" needs a text as "value", not 1'],
  [
    { type: 'contains', value: { a: 1 }, ignore_case: true },
    '"contains" with "ignore_case" needs a text as "value", not {"a":1}',
  ],
  [{ type: 'contains_any' }, '"contains_any" needs a "value"'],
  [{ type: 'contains_any', value: 'x' }, '"contains_any" needs a list as "value", not "x"'],
  [{ type: 'contains_all', value: [] }, 'the list of "contains_all" is empty'],
  [
    { type: 'contains_all', value: ['x', [1]], ignore_case: true },
    '"contains_all" with "ignore_case" needs a list of texts, not [1]',
  ],
  ...['contains', 'icontains', 'not_contains', 'regex'].map((type): [unknown, string] => [
    { type, value: '' },
    `"${type}" has an empty text as "value", which every answer contains`,
  ]),
  ...['contains_all', 'contains_any'].map((type): [unknown, string] => [
    { type, value: ['x', ''] },
    `"${type}" has an empty text in its list, which every answer contains`,
  ]),
  ...['bleu', 'levenshtein', 'rouge'].flatMap((type): [unknown, string][] => [
    [{ type, value: [] }, `the list of "${type}" is empty`],
    [{ type, value: ['x', 1] }, `"${type}" needs a list of texts, not 1 in it`],
  ]),
  [{ type: 'starts_with', value: '' }, '"starts_with" needs a text as "value", not ""'],
  [{ type: 'ends_with' }, '"ends_with" needs a "value"'],
  [{ type: 'length', value: '5' }, '"length" needs a whole number or {min, max, unit} as "value", not "5"'],
  [{ type: 'length', value: {} }, 'the value of "length" needs "min", "max" or both'],
  [{ type: 'length', value: { min: 3, max: 2 } }, '"min" of "length" is 3, more than "max", which is 2'],
  [{ type: 'length', value: { min: -1 } }, '"min" of "length" must be a whole number from 0, not -1'],
  [
    { type: 'length', value: { max: 2, unit: 'word' } },
    'unknown unit "word" of "length"',
    'did you mean "words"?',
  ],
  [
    { type: 'length', value: { max: 2, units: 'words' } },
    'unknown field "units" in the value of "length"',
    'did you mean "unit"?',
  ],
  [{ type: 'is_json', value: 'x' }, 'the schema is not valid: "x" is not a JSON Schema'],
  [
    { type: 'levenshtein', threshold: 5 },
    '"assert.threshold" must be a number from 0 to 1',
    'for a number of edits, write "max_distance"',
  ],
  [
    { type: 'levenshtein', threshold: 0.5, max_distance: 5 },
    '"levenshtein" has "threshold" and "max_distance": use one of them',
  ],
  [{ type: 'rouge', variant: 1 }, '"assert.variant" must be "1", "2" or "L"', 'write it in quotes'],
  [{ type: 'equals', value: 1, weight: -1 }, '"assert.weight" must be a number from 0 to 1,000,000'],
  [{ type: 'equals', value: 1, advisory: 'yes' }, '"assert.advisory" must be true or false'],
  [
    { type: 'equals', value: 1, metric: 'a]b' },
    '"assert.metric" must be a name of at most 64 letters, digits, spaces and _ . / -',
  ],
  [{ type: 'any_of' }, '"any_of" needs a list of assertions as "value"'],
  [{ type: 'all_of', value: [] }, '"all_of" needs a list of assertions as "value", not []'],
  [
    { type: 'any_of', of: 'messages', value: [{ type: 'contains', value: 1 }] },
    '"any_of" cannot have "of": write it into the assertions of its list',
  ],
  [
    { type: 'any_of', value: [{ type: 'is_json' }], threshold: 1 },
    'unknown field "threshold" of "any_of"',
    'it may have type, message, negate, of, transform, weight, metric, advisory, value',
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

test('assertions inside of others are checked, and do not count by themselves', () => {
  const assert = [
    { type: 'any_of', value: [{ type: 'contains' }, { type: 'is_json', weight: 2, advisory: true }, null] },
  ];
  expect(checkAssertions(assert)).toEqual([
    { message: 'assert[0].value[0]: "contains" needs a "value"' },
    {
      message: 'assert[0].value[1]: an assertion inside of another assertion cannot have "weight"',
      hint: 'give "weight" to the outer one',
    },
    {
      message: 'assert[0].value[1]: an assertion inside of another assertion cannot have "advisory"',
      hint: 'give "advisory" to the outer one',
    },
    { message: 'assert[0].value[2]: an assertion is an object with a "type", not null' },
  ]);
});

test('combinators are nested at most five levels deep', () => {
  const nested = (levels: number): object =>
    levels === 0 ? { type: 'is_json' } : { type: 'all_of', value: [nested(levels - 1)] };
  expect(checkAssertions(nested(5))).toEqual([]);
  expect(checkAssertions(nested(6))).toEqual([
    {
      message: `assert${'.value[0]'.repeat(5)}: "all_of" is nested more than 5 levels deep`,
      hint: 'combine fewer levels',
    },
  ]);
});

test('the types with a threshold are those that gates know to have scores', () => {
  const withThreshold = Object.entries(assertionTypes).filter(([, { fields }]) => 'threshold' in fields);
  expect(withThreshold.map(([name]) => name).sort()).toEqual([...SCORING_TYPES].sort());
});
