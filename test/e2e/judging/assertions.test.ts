// Every kind of assertion, holding and not holding, through the whole program.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, folder, readLog } from '../support/assay.ts';

/** Answers with a transcript; the message chooses among outputs. */
const AGENT = `
const outputs = {
  object: { need_search: false, confidence: 0.99, list: [1, 2, 3], nested: { deep: [{ a: 'x' }] } },
  fenced: 'Sure:\\n\\n\`\`\`json\\n{"need_search": true}\\n\`\`\`\\nDone.',
  prose: 'The answer is {"need_search": true}, I think.',
  text: 'Call 555-1234 today.\\nSecond line',
  hostile: 'a'.repeat(50_000) + '!',
  empty: '  ',
  slow: 'slow',
};
export default async (messages) => {
  const name = messages[0].content;
  if (name === 'slow') await new Promise((done) => setTimeout(done, 60));
  if (name === 'bare') return 'bare';
  return {
    output: outputs[name],
    tool_calls: [
      { name: 'mcp__server__search', arguments: { query: 'cats', page: { size: 10, number: 1 } }, result: { hits: 3, ids: [7] } },
      { name: 'files.read', arguments: {}, error: 'no such file' },
    ],
    usage: { input_tokens: 100, output_tokens: 20 },
    cost_usd: 0.002,
  };
};
`;

const SCRIPT = `
function Good(output, input, expected) { return output.need_search === false && input === 'object' && expected === undefined; }
function Bad() { return { pass: false, message: 'it is just bad' }; }
async function WithValue(output: unknown, input: unknown, value: unknown): Promise<boolean> { return value === 42; }
function Throws() { throw new Error('the script is broken'); }
function Odd() { return 'yes'; }
`;

type Row = [input: string, assertion: Record<string, unknown>];

const HOLDS: Row[] = [
  [
    'object',
    {
      type: 'equals',
      value: { confidence: 0.99, nested: { deep: [{ a: 'x' }] }, list: [1, 2, 3], need_search: false },
    },
  ],
  ['fenced', { type: 'equals', value: { need_search: true } }],
  ['text', { type: 'contains', value: '555' }],
  ['object', { type: 'contains', value: 'need_search' }],
  ['text', { type: 'not_contains', value: '556' }],
  ['object', { type: 'json_path', path: '$.need_search', value: false }],
  ['object', { type: 'json_path', path: 'nested.deep[0].a', value: 'x' }],
  ['object', { type: 'json_path', path: '$.nested.deep[?@.a == "x"].a', value: ['x'] }],
  ['object', { type: 'json_path', path: '$.confidence', value: [0.5, 0.99] }],
  ['object', { type: 'json_path', path: 'list', value: [1, 2, 3] }],
  ['fenced', { type: 'json_path', path: '$.need_search', value: true }],
  ['prose', { type: 'json_path', path: 'need_search', value: true }],
  ['text', { type: 'regex', value: '\\d{3}-\\d{4}' }],
  ['text', { type: 'regex', value: '(?i)CALL' }],
  ['text', { type: 'regex', value: '(?ms)^call.*line$', negate: true }],
  ['hostile', { type: 'regex', value: '(a+)+$', negate: true }],
  ['object', { type: 'type', value: 'object' }],
  ['text', { type: 'type', value: 'string' }],
  ['fenced', { type: 'type', value: 'object' }],
  [
    'object',
    {
      type: 'schema',
      value: {
        type: 'object',
        required: ['list'],
        properties: { list: { type: 'array', items: { type: 'integer' } } },
      },
    },
  ],
  ['object', { type: 'tool_called', value: 'search' }],
  ['object', { type: 'tool_called', value: ['nothing', 'read'] }],
  [
    'object',
    { type: 'tool_called', value: { name: 'mcp__server__search', arguments: { page: { size: 10 } } } },
  ],
  ['object', { type: 'tool_result', value: { name: 'search', result: { hits: 3 } } }],
  ['object', { type: 'script', script: 'scripts.test.Good' }],
  ['object', { type: 'script', script: 'scripts.test.WithValue', value: 42 }],
  ['object', { type: 'script', script: 'scripts.test.Bad', negate: true }],
  ['object', { type: 'latency', value: '10s' }],
  ['object', { type: 'tokens', value: 120 }],
  ['object', { type: 'tokens', value: { input: 100, output: 20 } }],
  ['object', { type: 'cost', value: 0.002 }],
];

const FAILS: [...Row, message: string][] = [
  ['object', { type: 'equals', value: { list: [3, 2, 1] } }, 'the answer is not the expected one'],
  ['text', { type: 'contains', value: 'call' }, 'the answer does not contain "call"'],
  ['text', { type: 'not_contains', value: 'Call' }, 'the answer contains "Call"'],
  [
    'object',
    { type: 'json_path', path: '$.need_search', value: true },
    'path $.need_search is false, not true',
  ],
  [
    'object',
    { type: 'json_path', path: '$.need_serch', value: true },
    'path $.need_serch not found: there is "need_search", "confidence", "list", "nested"; did you mean "need_search"?',
  ],
  [
    'object',
    { type: 'json_path', path: '$.confidence', value: [1, 2] },
    'path $.confidence is 0.99, which is none of [1,2]',
  ],
  ['text', { type: 'json_path', path: '$.a', value: 1 }, 'no JSON found in the answer'],
  ['text', { type: 'regex', value: '^\\d+$' }, 'the answer does not match ^\\d+$'],
  ['text', { type: 'type', value: 'object' }, 'the answer is of type string, not object'],
  [
    'object',
    { type: 'schema', value: { required: ['nope'] } },
    "the answer does not fit the schema: the answer must have required property 'nope'",
  ],
  [
    'object',
    { type: 'tool_called', value: 'server' },
    'tool "server" was not called; called: "mcp__server__search", "files.read"',
  ],
  [
    'object',
    { type: 'tool_called', value: { name: 'search', arguments: { query: 'dogs' } } },
    'tool "search" was called, but not with these arguments',
  ],
  [
    'object',
    { type: 'tool_result', value: { name: 'search', result: { hits: 4 } } },
    'tool "search" did not give this result',
  ],
  ['object', { type: 'tool_result', value: { name: 'read' } }, 'tool "read" failed: no such file'],
  ['object', { type: 'script', script: 'scripts.test.Bad' }, 'it is just bad'],
  ['object', { type: 'script', script: 'scripts.test.Bad', message: 'mine' }, 'mine: it is just bad'],
  [
    'object',
    { type: 'script', script: 'scripts.test.WithValue', value: 41 },
    'scripts.test.WithValue says no',
  ],
  ['slow', { type: 'latency', value: '20ms' }, 'the answer took'],
  ['object', { type: 'tokens', value: { output: 10 } }, 'the answer took 20 output tokens, more than 10'],
  ['object', { type: 'cost', value: 0.001 }, 'the answer cost $0.002, more than $0.001'],
  ['text', { type: 'contains', value: 'Call', negate: true }, '"contains" holds, but is negated'],
];

const UNCLEAR: [...Row, message: string][] = [
  ['object', { type: 'script', script: 'scripts.test.Throws' }, 'the script is broken'],
  ['object', { type: 'script', script: 'scripts.test.Throws', negate: true }, 'the script is broken'],
  [
    'object',
    { type: 'script', script: 'scripts.test.Odd', negate: true },
    'scripts.test.Odd returned "yes", but it must be true, false, a score from 0 to 1 or {pass, score, message}',
  ],
  ['bare', { type: 'tokens', value: 1 }, 'the agent does not report its token usage'],
  ['bare', { type: 'cost', value: 1, negate: true }, 'the cost of the answer is not known'],
];

async function judge(
  rows: readonly (readonly [string, Record<string, unknown>, ...unknown[]])[],
): Promise<{ exitCode: number | null; results: ResultEvent[] }> {
  const cwd = folder({
    'assay.config.json': '{}',
    'agent.mjs': AGENT,
    'scripts/test.ts': SCRIPT,
    'cases.jsonl': rows.map(([input, assert], index) => ({ id: `T${String(index)}`, input, assert })),
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0'];
  const { exitCode } = await assay(args, { cwd });
  return { exitCode, results: readLog(join(cwd, 'log.jsonl')).results };
}

const named = ([, { type, negate, ...rest }]: readonly [
  string,
  Record<string, unknown>,
  ...unknown[],
]): string => `${negate === true ? 'not ' : ''}${String(type)} ${JSON.stringify(rest)}`;

test('an assertion that holds passes', async () => {
  const { exitCode, results } = await judge(HOLDS);
  const wrong = results.flatMap((result, index) =>
    result.status === 'passed' ? [] : [[named(HOLDS[index] as Row), result.error]],
  );
  expect({ exitCode, count: results.length, wrong }).toEqual({ exitCode: 0, count: HOLDS.length, wrong: [] });
});

test('an assertion that does not hold fails with its reason', async () => {
  const { exitCode, results } = await judge(FAILS);
  const ends = results.map(({ status, error }, index) => [named(FAILS[index] as never), status, error]);
  expect(exitCode).toBe(1);
  expect(ends).toEqual(
    FAILS.map((row) => [
      named(row),
      'failed',
      row[0] === 'slow' ? expect.stringMatching(/^the answer took \d+ms, longer than 20ms$/) : row[2],
    ]),
  );
});

test('an assertion that cannot be judged is an error, negated or not: exit 3', async () => {
  const { exitCode, results } = await judge(UNCLEAR);
  const ends = results.map(({ status, code, error }, index) => [
    named(UNCLEAR[index] as never),
    status,
    code,
    error,
  ]);
  expect({ exitCode, ends }).toEqual({
    exitCode: 3,
    ends: UNCLEAR.map((row) => [named(row), 'error', 'judge', row[2]]),
  });
});

test('all assertions are evaluated; a proven failure beats an error', async () => {
  const { exitCode, results } = await judge([
    [
      'object',
      [
        { type: 'script', script: 'scripts.test.Throws' },
        { type: 'contains', value: 'nothing of it' },
        { type: 'type', value: 'object' },
        { type: 'json_path', path: 'list', value: 1 },
      ] as never,
    ],
  ]);
  expect(exitCode).toBe(1);
  expect(results[0]).toMatchObject({
    status: 'failed',
    error: 'the answer does not contain "nothing of it" (and 1 more)',
  });
  expect(results[0]?.verdicts?.map(({ type, status }) => [type, status])).toEqual([
    ['script', 'error'],
    ['contains', 'failed'],
    ['type', 'passed'],
    ['json_path', 'failed'],
  ]);
});

test('an unsound assertion is a problem of the set-up, also when negated', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [
      { id: 'T1', input: 'text', assert: { type: 'regex', value: '(?<=a)b', negate: true } },
      { id: 'T2', input: 'text', assert: { type: 'schema', value: { type: 'objekt' } } },
      { id: 'T3', input: 'text', assert: { type: 'contains', value: 'a', valeu: 'b' } },
      { id: 'T4', input: 'text', assert: [] },
      { id: 'T5', input: 'text', assert: { type: 'type', value: 'strin' } },
    ],
  });
  const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr.match(/^cases\.jsonl:\d+/gm)).toEqual(
    [1, 2, 3, 4, 5].map((line) => `cases.jsonl:${String(line)}`),
  );
});

test('assert over expected over "it answered"', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [
      { id: 'assert', input: 'text', expected: 'something else', assert: { type: 'contains', value: '555' } },
      { id: 'expected', input: 'fenced', expected: { need_search: true } },
      { id: 'answered', input: 'text' },
      { id: 'empty', input: 'empty' },
      { id: 'null', input: 'nothing', expected: null },
    ],
  });
  await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(results.map(({ id, status, verdicts }) => [id, status, verdicts?.[0]?.type])).toEqual([
    ['assert', 'passed', 'contains'],
    ['expected', 'passed', 'equals'],
    ['answered', 'passed', 'answered'],
    ['empty', 'failed', 'answered'],
    ['null', 'passed', 'equals'],
  ]);
});

test('a failure shows a readable diff on the terminal and in every report', async () => {
  const cwd = folder({
    'agent.mjs': 'export default () => ({ name: "Ada", tags: ["a", "b"], same: 1 });',
    'cases.jsonl': [{ id: 'T1', input: 'hi', expected: { same: 1, name: 'Bob', tags: ['a', 'c'] } }],
  });
  const args = [
    'test',
    '-i',
    'cases.jsonl',
    '-n',
    './agent.mjs',
    '-o',
    'log.jsonl',
    '-o',
    'r.md',
    '-o',
    'r.json',
    '-o',
    'r.xml',
  ];
  const { exitCode, stdout } = await assay(args, { cwd });
  const diff = [
    '- expected',
    '+ actual',
    '',
    '  {',
    '-   "name": "Bob",',
    '+   "name": "Ada",',
    '    "same": 1,',
    '    "tags": [',
    '      "a",',
    '-     "c"',
    '+     "b"',
    '    ]',
    '  }',
  ];
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  expect(exitCode).toBe(1);
  expect(readLog(join(cwd, 'log.jsonl')).results[0]?.verdicts?.[0]?.diff).toBe(diff.join('\n'));
  expect(stdout).toContain(
    `  └─ equals: the answer is not the expected one\n${diff.map((line) => `     ${line}\n`).join('')}`,
  );
  expect(read('r.md')).toContain(`\`\`\`diff\n${diff.join('\n')}\n\`\`\``);
  expect(JSON.parse(read('r.json')).results[0].verdicts[0].diff).toBe(diff.join('\n'));
  expect(read('r.xml')).toContain('+   "name": "Ada",\n');
});
