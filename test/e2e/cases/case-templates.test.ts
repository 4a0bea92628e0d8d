// Defaults, variables, rows and agents of case files, through the built program.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import type { Row } from '../support/case-files.ts';
import { AGENTS, run, shown } from '../support/case-files.ts';

test('defaults of a file are put into each case, and the case wins', async () => {
  const lines = [
    {
      defaults: {
        agent: './agent.mjs',
        tags: ['all'],
        metadata: { a: 1, b: 1 },
        assert: { type: 'contains', value: 'echo' },
      },
    },
    { id: 'plain', input: 'x' },
    {
      id: 'own',
      agent: './shout.mjs',
      tags: ['loud'],
      metadata: { b: 2 },
      input: 'echo',
      assert: [{ type: 'contains', value: 'ECHO' }],
    },
  ];
  const files = { 'cases.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') };
  const { exitCode, results } = await run(files, 'cases.jsonl', []);
  expect(exitCode).toBe(1);
  expect(shown(results, 'id', 'agent_id', 'output', 'tags', 'status')).toEqual([
    ['plain', 'agent.mjs', 'echo: x', ['all'], 'passed'],
    ['own', 'shout.mjs', 'ECHO', ['all', 'loud'], 'failed'],
  ]);
  expect(results[1]?.['verdicts']).toMatchObject([
    { type: 'contains', status: 'passed' },
    { type: 'contains', status: 'failed' },
  ]);
});

test('-n wins over the agents that cases name', async () => {
  const files = { 'cases.jsonl': '{"id":"a","agent":"./nope.mjs","input":"x","expected":"X"}\n' };
  const { exitCode, results } = await run(files, 'cases.jsonl', ['-n', './shout.mjs']);
  expect({ exitCode, results: shown(results, 'output') }).toEqual({ exitCode: 0, results: [['X']] });
});

test('an agent that a case names and that does not exist is told at its line', async () => {
  const files = {
    'cases.jsonl':
      '{"id":"a","agent":"./agent.mjs","input":"x"}\n{"id":"b","agent":"./nope.mjs","input":"x"}\n',
  };
  const { exitCode, stderr } = await run(files, 'cases.jsonl', []);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^cases\.jsonl:2: .*nope\.mjs/);
});

test('vars of a case fill its texts, --var wins', async () => {
  const files = {
    'cases.yml':
      '- defaults: {vars: {greeting: Hello}}\n' +
      '- id: a\n  vars: {name: Ann, age: 5}\n  input: "{{greeting}} {{name}}, \\\\{{name}}"\n  expected: "echo: {{greeting}} {{name}}, \\\\{{name}}"\n' +
      '- id: b\n  vars: {age: 7}\n  input: "{{age}}"\n  assert: {type: contains, value: "{{age}}"}\n',
  };
  const plain = await run(files, 'cases.yml');
  expect({ exitCode: plain.exitCode, results: shown(plain.results, 'id', 'input', 'status') }).toEqual({
    exitCode: 0,
    results: [
      ['a', 'Hello Ann, {{name}}', 'passed'],
      ['b', '7', 'passed'],
    ],
  });
  const given = await run(files, 'cases.yml', [
    '-n',
    './agent.mjs',
    '--var',
    'greeting=Bye',
    '--var',
    'age=9',
  ]);
  expect(shown(given.results, 'input')).toEqual([['Bye Ann, {{name}}'], ['9']]);
});

test('names that are not declared are told, in cases and on the command line', async () => {
  const files = { 'cases.jsonl': '{"id":"a","vars":{"name":"Ann","age":3},"input":"Hi {{nmae}}"}\n' };
  const { exitCode, stderr } = await run(files, 'cases.jsonl', [
    '-n',
    './agent.mjs',
    '--var',
    'nam=x',
    '--var',
    'age=old',
  ]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'cases.jsonl:1: --var age: expected number, as in "vars", got "old"\n' +
      'cases.jsonl:1: {{nmae}}: the case has no such variable\n' +
      '  hint: did you mean {{name}}? \\{{ is a literal brace pair\n' +
      '--var: no case declares the variable nam\n' +
      '  hint: did you mean name?\n',
  });
});

test('each combines lists of values', async () => {
  const files = {
    'cases.yml':
      '- id: ask\n  each: {name: [Ann, Bob], topic: [tea, milk]}\n  input: "{{name}}, {{topic}}?"\n',
  };
  const { results } = await run(files, 'cases.yml');
  expect(shown(results, 'id', 'input')).toEqual([
    ['ask#1', 'Ann, tea?'],
    ['ask#2', 'Ann, milk?'],
    ['ask#3', 'Bob, tea?'],
    ['ask#4', 'Bob, milk?'],
  ]);
});

test('the expected value of a case holds beside assertions of the defaults', async () => {
  const files = {
    'cases.yml':
      '- defaults: {assert: {type: not_contains, value: As an AI}}\n' +
      '- {id: planet, input: Largest planet?, expected: Jupiter}\n' +
      '- {id: exact, input: hi, expected: "echo: hi"}\n',
  };
  const { exitCode, stderr, results } = await run(files, 'cases.yml');
  expect({ exitCode, stderr, results: shown(results, 'id', 'status') }).toEqual({
    exitCode: 1,
    stderr: '',
    results: [
      ['planet', 'failed'],
      ['exact', 'passed'],
    ],
  });
});

test('defaults may have fields that only make sense with the cases', async () => {
  const files = {
    'cases.yml':
      '- defaults: {transform: output.length, pass_score: 0.5, input: hi}\n- {id: b, assert: {type: equals, value: 8}}\n',
  };
  expect(await run(files, 'cases.yml')).toMatchObject({ exitCode: 0, stderr: '' });
});

test('templates of other tools are refused, not sent as text', async () => {
  const testCase = {
    id: 'a',
    vars: { user: { first: 'Ann' }, names: ['a', 'b'], doc: 'file://doc.txt' },
    input: 'Hi {{user.first}} {{ doc | trim }} {% if x %} {{names}} \\{{user.first}}',
  };
  const { exitCode, stderr } = await run({ 'cases.jsonl': JSON.stringify(testCase) }, 'cases.jsonl');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'cases.jsonl:1: {{user.first}} is no variable: only {{name}} is replaced, and \\{{ is a literal brace pair\n' +
      'cases.jsonl:1: {{ doc | trim }} is no variable: only {{name}} is replaced, and \\{{ is a literal brace pair\n' +
      'cases.jsonl:1: {% if x %} is no variable: only {{name}} is replaced, and \\{{ is a literal brace pair\n' +
      'cases.jsonl:1: {{names}} is a list inside of a text: "each" makes one case for each value\n' +
      'cases.jsonl:1: vars.doc: a variable is a value; the file "file://doc.txt" is not read\n',
  });
});

test.each([
  ['threshold', 'write "pass_score"'],
  ['provider', 'write "agent"'],
  ['defaultTest', 'write {"defaults": {…}}'],
  ['scenarios', 'write "each"'],
])('the field %s of other tools gets a hint', async (field, hint) => {
  const files = { 'cases.jsonl': JSON.stringify({ id: 'a', input: 'x', [field]: 1 }) };
  const { exitCode, stderr } = await run(files, 'cases.jsonl');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`unknown field "${field}"\n  hint: ${hint}`);
});

test('an agent of a case from standard input is found from the working directory', async () => {
  const cwd = folder(AGENTS);
  const input = '{"id":"a","input":"x","agent":"./shout.mjs","expected":"X"}';
  const { exitCode } = await assay(['test', '-i', '-', '-o', 'log.jsonl'], { cwd, input });
  expect(exitCode).toBe(0);
});

test('a placeholder that nothing fills in is noted', async () => {
  const { exitCode, stderr } = await run({ 'c.jsonl': '{"id":"a","input":"hi {{x}}"}' }, 'c.jsonl');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'c.jsonl:1: the input has a {{name}} that is sent as it is, because the case has no "vars"\n',
  });
});

test('an empty cell leaves the value of the case', async () => {
  const files = {
    'p.csv': 'name,mood\nAnn,\nBob,sad\n',
    'c.jsonl': '{"id":"a","each":"p.csv","vars":{"mood":"fine"},"input":"{{name}} {{mood}}"}',
  };
  const { results } = await run(files, 'c.jsonl');
  expect(shown(results, 'input')).toEqual([['Ann fine'], ['Bob sad']]);
});

test('-n twice is refused', async () => {
  const { exitCode, stderr } = await run({ 'c.jsonl': '{"id":"a","input":"x"}' }, 'c.jsonl', [
    '-n',
    './agent.mjs',
    '-n',
    './shout.mjs',
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('It is given twice: a run has one agent');
});

test('scripts that judge know the variables of the case', async () => {
  const files = {
    'scripts/check.ts':
      'export function Named(output, input, expected, ctx) { return output.includes(ctx.variables.name); }\n',
    'cases.jsonl':
      '{"id":"a","vars":{"name":"Ann"},"input":"Hi {{name}}","assert":{"type":"script","script":"scripts.check.Named"}}',
  };
  expect(await run(files, 'cases.jsonl')).toMatchObject({ exitCode: 0 });
});

test('each makes a case per row of a file, or of a list', async () => {
  const files = {
    'people.csv': 'id,name,city\nann,Ann,Rome\n,Bob,Oslo\n',
    'cases.json': JSON.stringify([
      {
        id: 'city',
        each: 'people.csv',
        vars: { mood: 'sunny' },
        input: '{{name}} in {{mood}} {{city}}',
        assert: { type: 'contains', value: '{{city}}' },
      },
      { id: 'inline', each: [{ n: 1 }, { n: 2 }], input: 'n is {{n}}' },
    ]),
  };
  const { exitCode, results } = await run(files, 'cases.json');
  expect({ exitCode, results: shown(results, 'id', 'input') }).toEqual({
    exitCode: 0,
    results: [
      ['ann', 'Ann in sunny Rome'],
      ['city#2', 'Bob in sunny Oslo'],
      ['inline#1', 'n is 1'],
      ['inline#2', 'n is 2'],
    ],
  });
});

test.each([
  [{ id: 'a', each: 'nope.csv', input: 'x' }, '"each": "nope.csv" cannot be read: '],
  [{ id: 'a', each: 'bad.csv', input: 'x' }, 'bad.csv:2: the row has 1 fields, the header has 2'],
  [{ id: 'a', each: [], input: 'x' }, '"each" is an empty list, so that the case never runs'],
  [{ id: 'a', each: [{ n: 1 }], input: '{{m}}' }, 'row 1: {{m}}: the case has no such variable'],
  [{ id: 'a', each: [1], input: 'x' }, '"each": row 1 must be an object'],
  [
    { id: 'a', each: 7, input: 'x' },
    '"each" must be the name of a file, a list of objects, or lists of values by name',
  ],
  [{ id: 'a', each: { n: [] }, input: 'x' }, '"each": "n" must be a list of values that is not empty'],
  [{ id: 'a', each: 'rows.ts', input: 'x' }, '"each" cannot be a module'],
  [{ id: 'a', each: 'twice.csv', input: 'x' }, 'duplicate id "k", first used on line 1'],
])('%j is refused', async (testCase, message) => {
  const files = {
    'bad.csv': 'a,b\n1\n',
    'twice.csv': 'id,b\nk,1\nk,2\n',
    'cases.jsonl': JSON.stringify(testCase),
  };
  const { exitCode, stderr } = await run(files, 'cases.jsonl');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`cases.jsonl:1: ${message}`);
});

test.each([
  [
    '{"defaults":{"asert":1}}\n{"id":"a","input":"x"}',
    'cases.jsonl:1: unknown field "asert" in "defaults"; did you mean "assert"?',
  ],
  [
    '{"defaults":{"id":"a"}}\n{"id":"a","input":"x"}',
    'cases.jsonl:1: "defaults" cannot have "id": it belongs to one case',
  ],
  [
    '{"defaults":{"timeout":"soon"}}\n{"id":"a","input":"x"}',
    'cases.jsonl:1: in "defaults": "timeout" is no duration',
  ],
  [
    '{"id":"a","input":"x"}\n{"defaults":{}}',
    'cases.jsonl:2: "defaults" must be the first object of its file',
  ],
])('%s is refused at the line of the defaults', async (content, message) => {
  const { exitCode, stderr } = await run({ 'cases.jsonl': content }, 'cases.jsonl');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test('a run with vars, rows and several agents can be resumed', async () => {
  const files = {
    'people.csv': 'name\nAnn\nBob\n',
    'cases.jsonl':
      '{"defaults":{"agent":"./agent.mjs"}}\n{"id":"a","each":"people.csv","input":"{{name}}"}\n{"id":"b","agent":"./shout.mjs","input":"x"}\n',
  };
  const { cwd, results } = await run(files, 'cases.jsonl', []);
  expect(results).toHaveLength(3);
  const resumed = await assay(['test', '--resume', 'log.jsonl', '--runs', '2'], { cwd });
  expect(resumed.exitCode).toBe(0);
  expect(
    shown(readLog(join(cwd, 'log.jsonl')).results as unknown as Row[], 'id', 'run', 'output').slice(3),
  ).toEqual([
    ['a#1', 2, 'echo: Ann'],
    ['a#2', 2, 'echo: Bob'],
    ['b', 2, 'X'],
  ]);
  writeFileSync(join(cwd, 'people.csv'), 'name\nAnn\nBab\n');
  const changed = await assay(['test', '--resume', 'log.jsonl', '--runs', '3'], { cwd });
  expect(changed.exitCode).toBe(2);
  expect(changed.stderr).toContain('the case file has changed since the run began');
});
