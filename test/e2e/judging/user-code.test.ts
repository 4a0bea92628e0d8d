// Expressions, programs and transforms judge apart from the agent and from each other, and are contained.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, endsIn, folder, readLog } from '../support/assay.ts';

const ECHO = 'export default (messages) => messages.at(-1).content;';
const RUN = ['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0'];

/** An application with these cases; the agent answers with its input. */
function application(cases: readonly object[], files: Record<string, unknown> = {}): string {
  return folder({ 'app.yao': '{}', 'agent.mjs': ECHO, 'tests/cases.jsonl': cases, ...files });
}

test('expressions, programs and functions judge what a transform makes of the answer', async () => {
  const answer = '{"answer": " Yes ", "total": 5}';
  const cases = [
    {
      id: 'expression',
      input: answer,
      assert: { type: 'expression', value: 'json.total > 3 && input === output' },
    },
    { id: 'not', input: answer, assert: { type: 'expression', value: 'json.total > 5' } },
    {
      id: 'metadata',
      input: 'x',
      metadata: { n: 1 },
      assert: { type: 'expression', value: 'metadata.n === 1' },
    },
    { id: 'score', input: 'x', assert: { type: 'expression', value: '0.25', threshold: 0.5 } },
    { id: 'program', input: 'short', assert: { type: 'command', value: ['node', 'check.mjs', '5'] } },
    { id: 'not short', input: 'not short', assert: { type: 'command', value: ['node', 'check.mjs', '5'] } },
    {
      id: 'transformed',
      input: answer,
      transform: 'json.answer.trim()',
      assert: [
        { type: 'equals', value: 'Yes' },
        { type: 'equals', value: 'yes', transform: 'scripts.text.Lower' },
        { type: 'equals', value: 'no' },
      ],
    },
    { id: 'expected', input: answer, transform: 'json.total', expected: 5 },
  ];
  const cwd = application(cases, {
    'scripts/text.ts': 'export function Lower(text: string) { return text.toLowerCase(); }',
    'tests/check.mjs': `
      import { text } from 'node:stream/consumers';
      const { output } = JSON.parse(await text(process.stdin));
      console.error('checking');
      console.log(JSON.stringify({ pass: output.length <= Number(process.argv[2]), score: 0.5, message: 'too long' }));`,
  });
  const { exitCode } = await assay(RUN, { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(exitCode).toBe(1);
  expect(
    Object.fromEntries(results.map(({ id, output, verdicts, logs }) => [id, { output, verdicts, logs }])),
  ).toEqual({
    expression: { output: answer, verdicts: [{ type: 'expression', status: 'passed' }] },
    not: {
      output: answer,
      verdicts: [
        {
          type: 'expression',
          status: 'failed',
          message: 'the expression does not hold: json.total > 5',
          actual: answer,
        },
      ],
    },
    metadata: { output: 'x', verdicts: [{ type: 'expression', status: 'passed' }] },
    score: {
      output: 'x',
      verdicts: [
        { type: 'expression', status: 'failed', message: 'score 0.25, wanted 0.5', actual: 'x', score: 0.25 },
      ],
    },
    program: {
      output: 'short',
      verdicts: [{ type: 'command', status: 'passed', score: 0.5 }],
      logs: ['checking'],
    },
    'not short': {
      output: 'not short',
      verdicts: [{ type: 'command', status: 'failed', message: 'too long', actual: 'not short', score: 0.5 }],
      logs: ['checking'],
    },
    transformed: {
      output: answer,
      verdicts: [
        { type: 'equals', status: 'passed' },
        { type: 'equals', status: 'passed' },
        {
          type: 'equals',
          status: 'failed',
          message: expect.any(String),
          expected: 'no',
          actual: 'Yes',
          diff: expect.any(String),
        },
      ],
    },
    expected: { output: answer, verdicts: [{ type: 'equals', status: 'passed' }] },
  });
});

test('user code that hangs, crashes or prints too much is an error of the judge, and the others are judged', async () => {
  const expression = (id: string, value: string) => ({
    id,
    input: 'x',
    assert: { type: 'expression', value },
  });
  const program = (id: string, script: string) => ({
    id,
    input: 'x',
    assert: { type: 'command', value: ['sh', '-c', script] },
  });
  const cwd = application([
    expression('fine', 'output === "x"'),
    expression('loop', '(() => { for (;;); })()'),
    expression('loop later', 'await null; for (;;); return true'),
    expression('never', 'await new Promise(() => {})'),
    expression('memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); return true'),
    expression('rejects', 'Promise.reject(new Error("left alone")); return await new Promise(() => {})'),
    program('hang', 'echo $$ > pid; sleep 100 & wait'),
    program('flood', 'yes'),
    program('killed', 'kill -9 $$'),
    program('code', 'echo "no such table" >&2; exit 2'),
    { id: 'transform', input: 'x', transform: 'output.a.b', assert: { type: 'equals', value: 'x' } },
    expression('fine as well', 'output.length === 1'),
  ]);
  const { exitCode } = await assay([...RUN, '--timeout', '2s', '--parallel', '4'], { cwd });
  const late = '(still waiting at the timeout after 2s)';
  expect({ exitCode, ends: endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 3,
    ends: {
      fine: 'passed',
      loop: expect.stringMatching(
        /^error \| judge \| the expression failed: it has not ended after (2s|1\.\d+s)$/,
      ),
      'loop later': `error | judge | the expression has not answered ${late}`,
      never: `error | judge | the expression has not answered ${late}`,
      memory: expect.stringMatching(
        /^error \| judge \| the expression (failed: it has not ended after|has not answered)/,
      ),
      rejects: 'error | judge | the expression failed: Error: left alone',
      hang: `error | judge | sh has not answered ${late}`,
      flood: expect.stringMatching(
        /^error \| judge \| sh printed [\d.]+ MB; at most 10 MB of a judgement is read$/,
      ),
      killed: 'error | judge | sh was ended by SIGKILL',
      code: 'error | judge | sh exited with code 2, but must exit with 0 if the answer passes and 1 if it fails: no such table',
      transform:
        "error | judge | the transform failed: TypeError: Cannot read properties of undefined (reading 'b')",
      'fine as well': 'passed',
    },
  });
  const pid = readFileSync(join(cwd, 'tests/pid'), 'utf8').trim();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

test('an expression does not change the verdict of another one', async () => {
  const spoil = `Array.prototype.includes = String.prototype.includes = () => true; Object.prototype.pass = true;
    globalThis.output = "spoiled"; return true`;
  const cases = Array.from({ length: 40 }, (_, index) => [
    { id: `spoils ${index}`, input: 'x', assert: { type: 'expression', value: spoil } },
    { id: `plain ${index}`, input: 'x', assert: { type: 'expression', value: 'output.includes("y")' } },
  ]).flat();
  const cwd = application(cases);
  const { exitCode } = await assay(RUN, { cwd });
  const ends = Object.entries(endsIn(join(cwd, 'log.jsonl')));
  expect(exitCode).toBe(1);
  expect(ends).toHaveLength(80);
  for (const [id, end] of ends)
    expect(`${id}: ${end}`).toBe(
      id.startsWith('spoils')
        ? `${id}: passed`
        : `${id}: failed | the expression does not hold: output.includes("y")`,
    );
});

test('mistakes are found before anything runs, with their place', async () => {
  const cwd = application([
    { id: 'a', input: 'x', assert: { type: 'expression', value: 'output.total >' } },
    { id: 'b', input: 'x', assert: { type: 'command', value: ['no-such-program'] } },
    { id: 'c', input: 'x', transform: 'output + ) 1', assert: { type: 'equals', value: 'x' } },
    { id: 'd', input: 'x', transform: 'output' },
  ]);
  const { exitCode, stderr } = await assay(RUN, { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: `tests/cases.jsonl:1: assert: the expression is not valid: it ends too early
tests/cases.jsonl:3: transform: invalid JavaScript: Unexpected token (line 1, column 10)
tests/cases.jsonl:4: "transform" changes what assertions judge, but the case has none
  hint: add "assert"
tests/cases.jsonl:2: command: no program "no-such-program" in PATH, nor in ${cwd}/tests
  hint: install it, or write the path of the program
`,
  });
  expect(existsSync(join(cwd, 'log.jsonl'))).toBe(false);
});

test('a turn and a checkpoint of a conversation judge what the transform of the case makes of each answer', async () => {
  const cwd = application([
    {
      id: 'turns',
      transform: 'output.toUpperCase()',
      turns: [{ input: 'one', assert: { type: 'equals', value: 'ONE' } }, { input: 'two' }],
      assert: { type: 'expression', value: 'output === "TWO" && messages.length === 4' },
    },
  ]);
  const { exitCode } = await assay(RUN, { cwd });
  expect({ exitCode, ends: endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 0,
    ends: { turns: 'passed' },
  });
});
