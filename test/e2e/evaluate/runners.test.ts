// `assay/vitest` and `assay/node-test`, in the real runners.

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { folder, write } from '../support/assay.ts';

/** A project that has Assay and vitest installed. */
function project(files: Record<string, unknown> = {}): string {
  const cwd = folder({ 'package.json': { type: 'module', private: true }, ...files });
  mkdirSync(join(cwd, 'node_modules/@types'), { recursive: true });
  symlinkSync(resolve('.'), join(cwd, 'node_modules/assay'));
  symlinkSync(resolve('node_modules/vitest'), join(cwd, 'node_modules/vitest'));
  symlinkSync(resolve('node_modules/@types/node'), join(cwd, 'node_modules/@types/node'));
  return cwd;
}

type Ended = { exitCode: number; stdout: string; stderr: string };

function run(cwd: string, script: string, args: string[]): Promise<Ended> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' };
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args], { cwd, env }, (error, stdout, stderr) =>
      done({ exitCode: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

type Told = { title: string; status: string; message: string };

/** The tests of a file of vitest, with the first lines of what went wrong. */
async function vitest(cwd: string, ...args: string[]): Promise<Told[]> {
  const { stdout, stderr } = await run(cwd, resolve('node_modules/vitest/vitest.mjs'), [
    'run',
    '--reporter=json',
    ...args,
  ]);
  const start = stdout.indexOf('{');
  if (start === -1) throw new Error(stdout + stderr);
  const { testResults } = JSON.parse(stdout.slice(start)) as {
    testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
  };
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName: title, status, failureMessages: [message = ''] }) => ({
      title,
      status,
      message: message.split('\n    at ')[0] ?? '',
    })),
  );
}

const AGENT = `const echo = async (messages) => ({ output: String(messages.at(-1).content), tool_calls: [{ name: 'look', arguments: { at: 'x' } }] });\n`;
const CASES = `[
  { id: 'ok', input: 'a', expected: 'a' },
  { id: 'bad', input: 'a', assert: { type: 'contains', value: 'b' } },
  { id: 'judged', input: 'a', assert: { type: 'agent', value: 'is nice', use: './judge.mjs' } },
  { id: 'left', input: 'a', skip: true },
]`;
const JUDGE = { 'judge.mjs': 'export default () => { throw new Error("no judge today"); };\n' };
const HEAD = `import { describeEval } from 'assay/vitest';\nimport { expect, test } from 'vitest';\n${AGENT}`;

test('describeEval makes a test of every case and tells failures from errors', async () => {
  const cwd = project({
    ...JUDGE,
    'echo.test.js': `${HEAD}describeEval('echo', { agent: echo, cases: ${CASES}, runs: 2 });
describeEval('gated', { agent: echo, cases: [{ id: 'ok', input: 'a', expected: 'b' }], minPassRate: 0 });
describeEval('wrong', { agent: echo, cases: 'missing.jsonl', parallell: 2 });
describeEval.skip('never', { agent: echo, cases: ${CASES} });`,
  });
  expect(await vitest(cwd)).toEqual([
    { title: 'echo ok', status: 'passed', message: '' },
    {
      title: 'echo bad',
      status: 'failed',
      message:
        'AssertionError: case bad failed (0 of 2 runs passed)\n  contains: the answer does not contain "b"\n    expected: b\n    actual:   a\n  answer: a',
    },
    {
      title: 'echo judged',
      status: 'failed',
      message:
        'UnmeasuredError: case judged could not be measured\n  judge: the judge failed: no judge today',
    },
    { title: 'echo left', status: 'skipped', message: '' },
    { title: 'gated ok', status: 'passed', message: '' },
    {
      title: 'wrong configuration',
      status: 'failed',
      message: 'ConfigError: unknown option "parallell"; did you mean "parallel"?',
    },
    ...['ok', 'bad', 'judged', 'left'].map((id) => ({
      title: `never ${id}`,
      status: 'skipped',
      message: '',
    })),
  ]);
});

test('a filter of vitest runs its cases only', async () => {
  const cwd = project({
    'echo.test.js': `${HEAD}let calls = 0;
describeEval('echo', { agent: (messages) => { calls += 1; return echo(messages); }, cases: ${CASES.replace(/.*judged.*\n/, '')} });
test('ok calls', () => expect(calls).toBe(1));`,
  });
  const told = await vitest(cwd, '-t', 'ok');
  expect(told.filter(({ status }) => status !== 'skipped')).toEqual([
    { title: 'echo ok', status: 'passed', message: '' },
    { title: 'ok calls', status: 'passed', message: '' },
  ]);
});

test('matchers show what is wrong, and errors pass neither a matcher nor its opposite', async () => {
  const cwd = project({
    ...JUDGE,
    'echo.test.js': `${HEAD}import { evaluate } from 'assay';
const answer = await echo([{ content: 'x' }]);
const judged = { input: 'x', assert: { type: 'agent', value: 'is nice', use: './judge.mjs' } };
const run = await evaluate({ agent: echo, isolation: 'none', cases: [{ id: 'a', input: 'a', expected: 'a' }, { id: 'b', input: 'b', expected: 'c' }] });
test('case', () => expect(echo).toPassCase({ input: 'x', expected: 'x' }));
test('case fails', () => expect(echo).toPassCase({ id: 'it', input: 'x', expected: 'y' }));
test('case not', () => expect(echo).not.toPassCase({ id: 'it', input: 'x', expected: 'x' }));
test('error', () => expect(echo).toPassCase({ id: 'it', ...judged }));
test('error not', () => expect(echo).not.toPassCase({ id: 'it', ...judged }));
test('rate', () => expect(run).toPassAtLeast(0.5));
test('rate fails', () => expect(run).toPassAtLeast(0.9));
test('rate wrong', () => expect(run).toPassAtLeast(90));
test('tool', () => expect(answer).toCallTool('look', { at: 'x' }));
test('tool fails', () => expect(answer).toCallTool('jump'));
test('tool not', () => expect(answer).not.toCallTool('jump'));
test('tool of text', () => expect('x').toCallTool('jump'));
test('trajectory', () => expect(run.results[0]).toMatchTrajectory([{ name: 'look', arguments: { at: 'x' } }]));
test('trajectory fails', () => expect(answer).toMatchTrajectory(['look', 'jump'], { arguments: 'ignore' }));
test('assertion', () => expect('a tulip').toSatisfyAssertion({ type: 'contains', value: 'tulip' }));
test('run of two', () => expect(run).toCallTool('look'));`,
  });
  const told = await vitest(cwd);
  expect(told.map(({ title, status, message }) => [title, status, message])).toMatchInlineSnapshot(`
    [
      [
        "case",
        "passed",
        "",
      ],
      [
        "case fails",
        "failed",
        "Error: case it failed
      equals: the answer is not the expected one
        - expected
        + actual
        
        - "y"
        + "x"
      answer: x",
      ],
      [
        "case not",
        "failed",
        "Error: case it passed",
      ],
      [
        "error",
        "failed",
        "UnmeasuredError: case it could not be measured
      judge: the judge failed: no judge today",
      ],
      [
        "error not",
        "failed",
        "UnmeasuredError: case it could not be measured
      judge: the judge failed: no judge today",
      ],
      [
        "rate",
        "passed",
        "",
      ],
      [
        "rate fails",
        "failed",
        "Error: 50 % of the runs passed, wanted at least 90 %
    case b failed
      equals: the answer is not the expected one
        - expected
        + actual
        
        - "c"
        + "b"
      answer: b",
      ],
      [
        "rate wrong",
        "failed",
        "ConfigError: expected a share from 0 to 1, got 90",
      ],
      [
        "tool",
        "passed",
        "",
      ],
      [
        "tool fails",
        "failed",
        "Error: tool_called: tool "jump" was not called; called: "look"
      expected: jump
      actual:   ["look"]
    answer: x",
      ],
      [
        "tool not",
        "passed",
        "",
      ],
      [
        "tool of text",
        "failed",
        "UnmeasuredError: case answer could not be measured
      tool_called: the agent did not report its tool calls; it must answer {output, tool_calls: […]}, with an empty list if it made none",
      ],
      [
        "trajectory",
        "passed",
        "",
      ],
      [
        "trajectory fails",
        "failed",
        "Error: trajectory: expected call 2, "jump", was not made; called: "look"
      expected: ["look","jump"]
      actual:   [{"name":"look","arguments":{"at":"x"}}]
    answer: x",
      ],
      [
        "assertion",
        "passed",
        "",
      ],
      [
        "run of two",
        "failed",
        "ConfigError: the run has 2 cases with an answer",
      ],
    ]
  `);
});

test('judges decide with an agent of yours', async () => {
  const judge = `export default (messages) => { const { output } = JSON.parse(messages.at(-1).content); return { passed: String(output).includes('please'), reason: 'manners' }; };\n`;
  const cwd = project({
    'judge.mjs': judge,
    'echo.test.js': `${HEAD}test('polite', () => expect('yes please').toSatisfyJudge('is polite', { use: './judge.mjs' }));
test('rude', () => expect('no').toSatisfyJudge('is polite', { use: './judge.mjs' }));`,
  });
  expect(await vitest(cwd)).toEqual([
    { title: 'polite', status: 'passed', message: '' },
    { title: 'rude', status: 'failed', message: expect.stringContaining('manners') as string },
  ]);
});

test('the same with node:test', async () => {
  const cwd = project({
    ...JUDGE,
    'agent.mjs': `export default (messages) => messages.at(-1).content;\n`,
    'echo.test.mjs': `import { assertCallsTool, assertPassesAtLeast, assertPassesCase, describeEval } from 'assay/node-test';
import { test } from 'node:test';
${AGENT}describeEval('echo', { agent: './agent.mjs', cases: ${CASES} });
describeEval('wrong', { agent: echo, cases: 'missing.jsonl' });
test('case', () => assertPassesCase(echo, { input: 'x', expected: 'x' }));
test('tool', async () => assertCallsTool(await echo([{ content: 'x' }]), 'jump'));`,
  });
  const { exitCode, stdout } = await run(cwd, '--test', ['--test-reporter=tap', 'echo.test.mjs']);
  const lines = stdout.split('\n').filter((line) => /^\s*(?:not )?ok \d/.test(line));
  expect([exitCode, lines.map((line) => line.trim())]).toEqual([
    1,
    [
      'ok 1 - ok',
      'not ok 2 - bad',
      'not ok 3 - judged',
      'ok 4 - left # SKIP',
      'not ok 1 - echo',
      'not ok 1 - configuration',
      'not ok 2 - wrong',
      'ok 3 - case',
      'not ok 4 - tool',
    ],
  ]);
  expect(stdout).toContain('case bad failed');
  expect(stdout).toContain('case judged could not be measured');
  expect(stdout).toContain('input file "missing.jsonl" does not exist');
  expect(stdout).toContain('tool "jump" was not called');
});

test('the examples pass in both runners, and their types are right', async () => {
  const cwd = project();
  cpSync(resolve('examples/from-code'), join(cwd, 'shop'), { recursive: true });
  const told = await vitest(cwd);
  expect(told.map(({ title, status }) => [title, status])).toEqual([
    ['shop tea', 'passed'],
    ['shop both', 'passed'],
    ['shop other', 'passed'],
    ['a case in code', 'passed'],
    ['at least nine of ten runs pass', 'passed'],
    ['the tools that an answer called', 'passed'],
  ]);
  const node = await run(join(cwd, 'shop'), '--test', ['--test-reporter=tap', 'shop.node.mjs']);
  expect([node.exitCode, /# pass \d+/.exec(node.stdout)?.[0]]).toEqual([0, '# pass 4']);

  write(join(cwd, 'tsconfig.json'), {
    compilerOptions: {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      allowImportingTsExtensions: true,
    },
    include: ['shop'],
  });
  const types = await run(cwd, resolve('node_modules/@typescript/native/bin/tsc'), ['-p', '.']);
  expect([types.exitCode, types.stdout]).toEqual([0, '']);
});
