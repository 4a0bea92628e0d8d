import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { publishedSchema } from '../../../schema/published-schema.ts';
import { caseShape, checkCase } from './case.ts';

const FIELDS =
  'it may have id, input, expected, assert, pass_score, transform, description, tags, user, team, metadata, options, skip, timeout, turns, simulator, checkpoints, max_turns, before, after, mocks, agent, vars, each';

const ROLES = 'the roles are assistant, developer, function, system, tool, user';

const good: Record<string, unknown>[] = [
  { id: 'a', input: 'hi' },
  { id: 'a', input: '' },
  { id: 'a', input: { role: 'user', content: 'hi' } },
  { id: 'a', input: { role: 'user', content: [{ type: 'text', text: 'hi' }] } },
  { id: 'a', input: [{ role: 'user', content: 'hi', name: 'Ann' }] },
  {
    id: 'a',
    input: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [{ id: '1' }] },
      { role: 'tool', content: 'ok', tool_call_id: '1' },
    ],
  },
  { id: 'a', input: { type: 'text', text: 'hi' } },
  { id: 'a', input: [{ type: 'image', source: 'file://a.png' }] },
  { id: 'a', input: [{ type: 'image', source: { type: 'base64', data: 'AA==' } }] },
  { id: 'a', input: { type: 'document', content: 'long' } },
  { id: 'a', input: 'hi', expected: null },
  { id: 'a', input: 'hi', assert: { type: 'contains', value: 'x', negate: true, message: 'no' } },
  { id: 'a', input: 'hi', assert: [{ type: 'equals', value: [1] }] },
  { id: 'a', input: 'hi', expected: 'x', assert: [{ type: 'similar' }, { type: 'rouge' }] },
  { id: 'a', input: 'hi', expected: 'x', pass_score: 1 },
  { id: 'a', input: 'hi', assert: [{ type: 'contains', value: 'x', weight: 2, metric: 'm' }], pass_score: 0 },
  { id: 'a', turns: [{ input: 'hi', assert: { type: 'contains', value: 'x' } }], pass_score: 0.5 },
  {
    id: 'a',
    input: [
      { role: 'developer', content: 'a' },
      { role: 'system', content: 'b' },
      { role: 'function', content: 'c', name: 'f' },
    ],
  },
  {
    id: 'a',
    input: 'hi',
    description: '',
    tags: ['smoke'],
    user: 'u',
    team: 't',
    metadata: { a: 1 },
    options: {},
    skip: false,
    timeout: '1m30s',
  },
];

const bad: [unknown, { message: string; hint?: string }[]][] = [
  [[], [{ message: 'a case must be an object with "id" and "input"' }]],
  [{}, [{ message: '"id" is missing' }, { message: '"input" is missing' }]],
  [{ id: '', input: 'hi' }, [{ message: '"id" must not be empty' }]],
  [{ id: ' ', input: 'hi' }, [{ message: '"id" must not be empty' }]],
  [{ id: 7, input: 'hi' }, [{ message: '"id" must be a string: write "7"' }]],
  [{ id: null, input: 'hi' }, [{ message: '"id" must be a string' }]],
  [
    { id: 'a', input: 'hi', asert: 1 },
    [{ message: 'unknown field "asert"', hint: 'did you mean "assert"?' }],
  ],
  [{ id: 'a', input: 'hi', toString: 1 }, [{ message: 'unknown field "toString"', hint: FIELDS }]],
  [
    { id: 'a', input: 'hi', user: 1, team: '' },
    [{ message: '"user" must be a string' }, { message: '"team" must not be empty' }],
  ],
  [{ id: 'a', input: 'hi', description: null }, [{ message: '"description" must be a string' }]],
  [{ id: 'a', input: 'hi', metadata: [] }, [{ message: '"metadata" must be an object' }]],
  [{ id: 'a', input: 'hi', options: null }, [{ message: '"options" must be an object' }]],
  [{ id: 'a', input: 'hi', skip: 'yes' }, [{ message: '"skip" must be true or false' }]],
  [
    { id: 'a', input: 'hi', tags: 'smoke' },
    [{ message: '"tags" must be a list of strings, none of them empty' }],
  ],
  [{ id: 'a', input: 'hi', tags: [''] }, [{ message: '"tags[0]" must not be empty' }]],
  [{ id: 'a', input: 'hi', timeout: 30 }, [{ message: '"timeout" must be a duration such as "30s"' }]],
  [
    { id: 'a', input: 'hi', timeout: '30' },
    [{ message: '"timeout" is no duration: "30": missing unit, write it like 500ms, 30s or 1h30m' }],
  ],
  [
    { id: 'a', input: 'hi', timeout: '0s' },
    [{ message: '"timeout" is no duration: "0s": it must be longer than zero' }],
  ],
  [
    { id: 'a', input: 5 },
    [{ message: '"input" must be text, a message, a content part, or a list of either' }],
  ],
  [
    { id: 'a', input: null },
    [{ message: '"input" must be text, a message, a content part, or a list of either' }],
  ],
  [{ id: 'a', input: [] }, [{ message: '"input" is an empty list' }]],
  [
    { id: 'a', input: { text: 'hi' } },
    [{ message: '"input" needs "role" and "content" (a message) or "type" (a content part)' }],
  ],
  [{ id: 'a', input: { role: 'user' } }, [{ message: '"input.content" is missing' }]],
  [{ id: 'a', input: { content: 'hi' } }, [{ message: '"input.role" is missing' }]],
  [
    { id: 'a', input: { role: '', content: 'hi' } },
    [{ message: '"input.role" must not be empty', hint: ROLES }],
  ],
  [
    { id: 'a', input: { role: 'usr', content: 'hi' } },
    [{ message: '"input.role" is an unknown role: "usr"', hint: 'did you mean "user"?' }],
  ],
  [
    { id: 'a', input: [{ role: 'human', content: 'hi' }] },
    [{ message: '"input[0].role" is an unknown role: "human"', hint: 'did you mean "user"?' }],
  ],
  [
    { id: 'a', input: { role: 'constructor', content: 'hi' } },
    [{ message: '"input.role" is an unknown role: "constructor"', hint: ROLES }],
  ],
  [
    { id: 'a', input: 'hi', assert: { type: 'contains', value: 'x' }, pass_score: 80 },
    [{ message: '"pass_score" must be a number from 0 to 1' }],
  ],
  [{ id: 'a', input: { role: 'user', content: [] } }, [{ message: '"input.content" is an empty list' }]],
  [
    { id: 'a', input: { role: 'user', content: { type: 'text', text: 'hi' } } },
    [{ message: '"input.content" must be text or a list of content parts' }],
  ],
  [
    { id: 'a', input: { role: 'user', content: null } },
    [{ message: '"input.content" must be text or a list of content parts' }],
  ],
  [
    { id: 'a', input: { role: 'user', content: [{ text: 'hi' }] } },
    [{ message: '"input.content[0].type" is missing' }],
  ],
  [
    { id: 'a', input: ['hi', { content: 'x' }] },
    [
      { message: '"input[0]" must be a message with "role" and "content"' },
      { message: '"input[1].role" is missing' },
    ],
  ],
  [
    {
      id: 'a',
      input: [
        { role: 'user', content: 'hi' },
        { type: 'text', text: 'hi' },
      ],
    },
    [{ message: '"input" mixes messages and content parts: use one of them' }],
  ],
  [{ id: 'a', input: { type: 'text' } }, [{ message: '"input.text" is missing' }]],
  [{ id: 'a', input: [{ type: 1 }] }, [{ message: '"input[0].type" must be a string' }]],
  [
    { id: 'a', input: 'hi', assert: { type: 'equal', value: 1 } },
    [{ message: 'assert: unknown assertion type "equal"', hint: 'did you mean "equals"?' }],
  ],
  [
    { id: 'a', input: 'hi', assert: [] },
    [{ message: 'assert: the list is empty', hint: 'add an assertion, or remove the field' }],
  ],
];

describe('checkCase', () => {
  test.each(good.map((value) => [JSON.stringify(value), value]))('accepts %s', (_text, value) => {
    expect(checkCase(value)).toEqual({ case: value });
  });

  test.each(bad.map(([value, problems]) => [JSON.stringify(value), value, problems]))(
    'rejects %s',
    (_text, value, problems) => {
      expect(checkCase(value)).toEqual({ problems });
    },
  );

  test('reports everything that is wrong with one case', () => {
    expect(checkCase({ input: [], timeout: '5d', expectd: 1 })).toEqual({
      problems: [
        { message: '"input" is an empty list' },
        { message: '"timeout" is no duration: "5d": unknown unit "d", use h, m, s, ms, us or ns' },
        { message: 'unknown field "expectd"', hint: 'did you mean "expected"?' },
        { message: '"id" is missing' },
      ],
    });
  });
});

describe('schemas/case.schema.json', () => {
  const file = new URL('../../../../schemas/case.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as object;
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);

  test('is up to date', () => {
    const published = publishedSchema('Assay test case', caseShape, '2020-12');
    expect(schema).toEqual(JSON.parse(JSON.stringify(published)));
  });

  test.each(good.map((value) => [JSON.stringify(value), value]))('accepts %s', (_text, value) => {
    expect(validate(value)).toBe(true);
  });

  test('rejects all wrong cases but two, which depend on other fields', () => {
    const accepted = bad.map(([value]) => value).filter((value) => validate(value));
    expect(accepted).toEqual([
      { id: 'a', input: { role: 'user', content: null } },
      { id: 'a', input: { type: 'text' } },
    ]);
  });
});
