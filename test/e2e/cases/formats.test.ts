// Case files of every format, through the built program.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import type { Row } from '../support/case-files.ts';
import { AGENTS, run, shown } from '../support/case-files.ts';

test('a table has a case per row, with assertions, metadata and tags by its columns', async () => {
  const { exitCode, results } = await run(
    {
      'agent.mjs':
        'export default (messages, ctx) => ({ text: messages[0].content, metadata: ctx.metadata });\n',
      'cases.csv':
        'id,input,assert.contains,assert.similar,assert.similar.threshold,metadata.topic,note,tags,skip\n' +
        'a,"Say ""hi"", please",hi,,,greeting,"two\nlines",smoke; slow,\n' +
        'b,bye,,,,,,,true\n' +
        ',third,third,,,x,y,,\n',
    },
    'cases.csv',
  );
  expect(exitCode).toBe(0);
  expect(shown(results, 'id', 'line', 'status', 'output', 'tags')).toEqual([
    [
      'a',
      2,
      'passed',
      { text: 'Say "hi", please', metadata: { topic: 'greeting', note: 'two\nlines' } },
      ['smoke', 'slow'],
    ],
    ['b', 4, 'skipped', undefined, undefined],
    ['row-3', 5, 'passed', { text: 'third', metadata: { topic: 'x', note: 'y' } }, undefined],
  ]);
});

test('--map names the fields of cases in a table of other names', async () => {
  const files = { 'qa.tsv': 'question\tanswer\tvendor\nHello\techo: Hello\tx\n' };
  const { exitCode, results } = await run(files, 'qa.tsv', [
    '-n',
    './agent.mjs',
    '--map',
    'question=input',
    '--map',
    'answer=expected',
  ]);
  expect(exitCode).toBe(0);
  expect(shown(results, 'id', 'input', 'expected', 'status')).toEqual([
    ['row-1', 'Hello', 'echo: Hello', 'passed'],
  ]);
});

test('--map also renames fields of JSON Lines, whose other fields become metadata', async () => {
  const files = { 'qa.jsonl': '{"question": "Hello", "answer": "echo: Hello", "source": "x"}\n' };
  const { results } = await run(files, 'qa.jsonl', [
    '-n',
    './agent.mjs',
    '--map',
    'question=input',
    '--map',
    'answer=expected',
  ]);
  expect(shown(results, 'id', 'input', 'status')).toEqual([['row-1', 'Hello', 'passed']]);
});

test('mistakes in a table are told with their lines, all at once', async () => {
  const files = {
    'cases.csv': 'id,input,assert.contians\na,hi,x\nb,hi\n"c,hi,\n',
  };
  const { exitCode, stderr } = await run(files, 'cases.csv', [
    '-n',
    './agent.mjs',
    '--map',
    'nope=input',
    '--map',
    'x',
    '--map',
    'id=imput',
  ]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      '--map: "x" is no assignment\n' +
      '  hint: write --map <column>=<field>, like question=input\n' +
      '--map: a case has no field "imput"\n' +
      '  hint: did you mean "input"?; others are metadata.…, vars.…, options.… or assert.<type>\n' +
      'cases.csv:1: --map nope=…: there is no column "nope"; it may have id, input, assert.contians\n' +
      'cases.csv:2: assert[0]: unknown assertion type "contians"\n' +
      '  hint: did you mean "contains"?\n' +
      'cases.csv:3: the row has 2 fields, the header has 3\n' +
      'cases.csv:4: a quote is opened and never closed\n',
  });
});

test('columns of promptfoo are told apart from metadata', async () => {
  const files = { 'q.csv': 'question,__expected,__threshold\nHello,contains:x,0.5\n' };
  const { exitCode, stderr } = await run(files, 'q.csv', ['-n', './agent.mjs', '--map', 'question=input']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'q.csv:1: column "__expected" has no meaning here: for exact answers add --map __expected=expected; for others call it assert.<type>, such as assert.contains\n' +
      'q.csv:1: column "__threshold" has no meaning here: call it pass_score\n',
  });
  const mapped = await run(files, 'q.csv', [
    '-n',
    './agent.mjs',
    '--map',
    'question=input',
    '--map',
    '__expected=expected',
    '--map',
    '__threshold=metadata.t',
  ]);
  expect(mapped.exitCode).toBe(1);
});

test('a module may begin with defaults', async () => {
  const files = {
    'cases.mjs': 'export default [{ defaults: { agent: "./shout.mjs" } }, { input: "x", expected: "X" }];\n',
  };
  const { exitCode, results } = await run(files, 'cases.mjs', []);
  expect({ exitCode, ids: shown(results, 'id') }).toEqual({ exitCode: 0, ids: [['G002']] });
});

const CASES = [
  { id: 'a', input: 'one', expected: 'echo: one' },
  { id: 'b', input: 'two', assert: [{ type: 'contains', value: 'two' }] },
];

test('a .json file is a list of cases', async () => {
  const { exitCode, results } = await run({ 'cases.json': JSON.stringify(CASES, null, 2) }, 'cases.json');
  expect(exitCode).toBe(0);
  expect(shown(results, 'id', 'line', 'status')).toEqual([
    ['a', 2, 'passed'],
    ['b', 7, 'passed'],
  ]);
});

test('a .yml file is a list of cases', async () => {
  const files = {
    'cases.yml':
      '- id: a\n  input: one\n  expected: "echo: one"\n\n- id: b\n  input: |\n    two\n    lines\n  assert:\n    - type: contains\n      value: lines\n',
  };
  const { exitCode, results } = await run(files, 'cases.yml');
  expect(exitCode).toBe(0);
  expect(shown(results, 'id', 'line', 'input', 'status')).toEqual([
    ['a', 1, 'one', 'passed'],
    ['b', 5, 'two\nlines\n', 'passed'],
  ]);
});

test.each([
  ['cases.yml', '- id: a\n  input: [1\n', 'cases.yml:3: invalid YAML: '],
  ['cases.yml', '- id: a\n  input: hi\n- id: a\n  inptu: hi\n', 'cases.yml:3: unknown field "inptu"'],
  ['cases.yml', 'prompts: [x]\nproviders: [y]\n', 'cases.yml:1: this looks like a promptfoo configuration'],
  [
    'cases.json',
    '[{"id":"a","input":"x",}]',
    'cases.json:1: invalid JSON: there is a comma before "}": remove it',
  ],
  ['cases.csv', '', 'cases.csv: no cases: the file is empty'],
])('%s with %j is refused with its line', async (name, content, message) => {
  const { exitCode, stderr } = await run({ [name]: content }, name);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  [
    'cases.ts',
    'type Case = { id: string; input: string };\nconst cases: Case[] = [{ id: "a", input: "one" }];\nexport default cases;\n',
  ],
  ['cases.mjs', 'export default function* () { yield { id: "a", input: "one" }; }\n'],
  ['cases.js', 'export default async () => [{ id: "a", input: "one" }];\n'],
  ['cases.mts', 'export default async function* () { yield { id: "a", input: "one" }; }\n'],
])('%s gives the cases of its default export', async (name, content) => {
  const { exitCode, results } = await run({ [name]: content, 'package.json': '{"type":"module"}' }, name);
  expect({ exitCode, results: shown(results, 'id', 'test_id', 'output') }).toEqual({
    exitCode: 0,
    results: [['a', name, 'echo: one']],
  });
});

test.each([
  ['export const cases = [];', 2, 'cases.ts: the module has no default export'],
  ['export default 7;', 2, 'the module cases.ts gave no cases but 7'],
  ['export default [];', 2, 'the module cases.ts gave no cases'],
  ['export default () => { throw new Error("no data"); };', 3, 'no data'],
  ['export default () => new Promise(() => {});', 3, 'timed out after 2s'],
  ['export default [;', 2, 'cases.ts:1'],
  ['export default [{ id: "a" }];', 2, '"input" is missing'],
])('a module that gives no cases says so: %s', async (content, exitCode, message) => {
  const cwd = folder({ ...AGENTS, 'cases.ts': content });
  const found = await assay(['test', '-i', 'cases.ts', '-n', './agent.mjs', '--timeout', '2s'], { cwd });
  expect(found.exitCode).toBe(exitCode);
  expect(found.stderr).toContain(message);
});

test('what JSON would drop from the cases of a module is an error', async () => {
  const content =
    'export default [{ id: "a", input: "x", assert: () => false }, { id: "b", input: "x" }, { input: "x", expected: new Map() }];';
  const { exitCode, stderr } = await run({ 'cases.mjs': content }, 'cases.mjs');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      'cases.mjs: case "a": assert is a function, which cannot be written as JSON\n' +
      'cases.mjs: case 3: expected is an object of the class Map, which cannot be written as JSON\n',
  });
});

test('a pattern means files of the endings it names, and says what it leaves out', async () => {
  const files = {
    'd/a.csv': 'id,input,assert.regex\na,x,.\n',
    'd/b.jsonl': '{"id":"b","input":"x"}\n',
    'd/c.md': '# no cases',
  };
  const ids = async (pattern: string): Promise<unknown> => {
    const { results, stderr } = await run(files, pattern);
    return [results.map(({ id }) => String(id)).sort((a, b) => (a < b ? -1 : 1)), stderr];
  };
  expect(await ids('d/*.{csv,jsonl}')).toEqual([['a', 'b'], '']);
  expect(await ids('d/*.c*')).toEqual([['a'], '']);
  expect(await ids('d/a.[ct]sv')).toEqual([['a'], '']);
  expect(await ids('d/*')).toEqual([
    ['b'],
    '"d/*" also matches d/a.csv, which is left out: a pattern without an ending means .jsonl files\n',
  ]);
});

test.each([
  ['Expected', 'expected'],
  ['asert.contains', 'assert.contains'],
  ['assert_contains', 'assert.contains'],
  ['assertions', 'assert'],
  ['inputs', 'input'],
])('the column %s is not silently metadata', async (column, meant) => {
  const { exitCode, stderr } = await run({ 'c.csv': `id,input,${column}\na,x,zzz\n` }, 'c.csv');
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`c.csv:1: column "${column}": did you mean "${meant}"?`);
});

test('assertions of a column assert and of columns of types both hold', async () => {
  const files = {
    'c.csv':
      'id,input,assert,assert.contains,vars\na,hello {{x}},"{""type"":""contains"",""value"":""zzz""}",hello,"{""x"":1}"\n',
  };
  const { exitCode, results } = await run(files, 'c.csv');
  expect(exitCode).toBe(1);
  expect(results[0]).toMatchObject({
    input: 'hello 1',
    verdicts: [{ status: 'failed' }, { status: 'passed' }],
  });
});

test.each([
  ['c.csv', Buffer.from('id,input\na,x\nb,\xe9\n', 'latin1'), 3],
  ['c.json', Buffer.from('[{"id":"a","input":"x"},\n{"id":"b","input":"\xe9"}]', 'latin1'), 2],
])('%s that is not UTF-8 is told with its line', async (name, bytes, line) => {
  const cwd = folder(AGENTS);
  writeFileSync(join(cwd, name), bytes);
  const { exitCode, stderr } = await assay(['test', '-i', name, '-n', './agent.mjs'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${name}:${line}: the file is not valid UTF-8`);
});

test('a Parquet file has a case per row', async () => {
  const cwd = folder(AGENTS);
  const columnData = [
    { name: 'id', data: [1n, 2n], type: 'INT64' as const },
    { name: 'question', data: ['one', 'two'], type: 'STRING' as const },
    { name: 'answer', data: ['echo: one', 'no'], type: 'STRING' as const },
  ];
  writeFileSync(join(cwd, 'cases.parquet'), Buffer.from(parquetWriteBuffer({ columnData })));
  const args = [
    'test',
    '-i',
    'cases.parquet',
    '-n',
    './agent.mjs',
    '--map',
    'question=input',
    '--map',
    'answer=expected',
    '-o',
    'log.jsonl',
  ];
  const { exitCode } = await assay(args, { cwd });
  const results = readLog(join(cwd, 'log.jsonl')).results as unknown as Row[];
  expect({ exitCode, results: shown(results, 'id', 'line', 'status') }).toEqual({
    exitCode: 1,
    results: [
      ['1', 1, 'passed'],
      ['2', 2, 'failed'],
    ],
  });
});

test.each([
  [
    'smoke.test.yml',
    '"smoke.test.yml" defines a test, it is not a case file\n  hint: run it: assay run smoke\n',
  ],
  [
    'all.suite.json',
    '"all.suite.json" defines a suite, it is not a case file\n  hint: run it: assay suite all\n',
  ],
])('%s is refused by its name', async (name, stderr) => {
  expect(await run({ [name]: '{}' }, name)).toMatchObject({ exitCode: 2, stderr });
});

test('a table without a column for the input says so once, and how to name it', async () => {
  const files = { 'qa.csv': 'question,answer\nHi,Hello\nBye,Goodbye\n' };
  expect(await run(files, 'qa.csv', ['-n', './agent.mjs'])).toMatchObject({
    exitCode: 2,
    stderr:
      'qa.csv:1: there is no column "input"; the columns are "question", "answer". Say which one it is: --map "question=input"\n',
  });
});

test('a table without right answers is noted, because any answer passes', async () => {
  const files = { 'qa.csv': 'input,answer\nHi,Hello\nBye,Goodbye\n' };
  const { exitCode, stderr } = await run(files, 'qa.csv', ['-n', './agent.mjs']);
  expect([exitCode, stderr]).toEqual([
    0,
    'qa.csv: 2 cases have neither "expected" nor "assert", so any answer passes; if a column has the right answer: --map <column>=expected\n',
  ]);
});
