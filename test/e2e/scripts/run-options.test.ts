// Script tests in the same pipeline as everything else: repeated, selected, stopped, resumed, and beside cases of an agent.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, readLog, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';
import { application, ends, resultsIn, runScripts, SOURCES } from '../support/script-files.ts';

const NOTE = `import { appendFileSync, existsSync } from 'node:fs';\nconst note = (line) => appendFileSync('calls.txt', line + '\\n');\nconst sleep = (ms) => new Promise((done) => setTimeout(done, ms));\n`;
const FILE = `${NOTE}
let count = 0;
function BeforeAll() { note('BeforeAll'); }
async function AfterAll() { await sleep(30); note('AfterAll'); }
function TestOne(t) { count += 1; note('one ' + count); t.assert.True(true); }
async function TestTwo(t) { note('two'); await null; t.assert.True(existsSync('repaired'), 'not repaired'); }
function TestThree(t) { note('three'); t.assert.True(true); }
`;

test('--runs runs the whole file again, with fresh state; the summary counts functions and runs', async () => {
  const cwd = application({ 'a_test.ts': FILE });
  const { exitCode, stdout } = await runScripts(cwd, ['--runs', '3', '--parallel', '1', '-o', 'r.json']);
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(exitCode).toBe(1);
  const once = ['BeforeAll', 'one 1', 'two', 'three', 'AfterAll'];
  expect(callsIn(cwd)).toEqual([...once, ...once, ...once]);
  expect(results.map(({ id, run, status }) => `${id} ${String(run)} ${status}`).sort()).toEqual(
    ['TestOne', 'TestThree', 'TestTwo'].flatMap((id) =>
      [1, 2, 3].map((run) => `${id} ${String(run)} ${id === 'TestTwo' ? 'failed' : 'passed'}`),
    ),
  );
  expect(summary).toMatchObject({
    total: 3,
    passed: 2,
    failed: 1,
    total_runs: 9,
    runs_per_case: 3,
    stable_cases: 2,
  });
  const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
  expect(
    report.results.map(({ name, runs, passed, pass_rate }: Record<string, unknown>) => [
      name,
      runs,
      passed,
      pass_rate,
    ]),
  ).toEqual([
    ['TestOne', 3, 3, 100],
    ['TestTwo', 3, 0, 0],
    ['TestThree', 3, 3, 100],
  ]);
  expect(stdout).toContain('  Runs: 3 per function\n');
});

test('--fail-fast stops exactly at the first failure; what had begun is torn down', async () => {
  const cwd = application({ 'a_test.ts': FILE, 'b_test.ts': FILE });
  const { exitCode } = await runScripts(cwd, ['--fail-fast', '--parallel', '1']);
  expect({ exitCode, calls: callsIn(cwd), ...ends(cwd) }).toEqual({
    exitCode: 1,
    calls: ['BeforeAll', 'one 1', 'two', 'AfterAll'],
    'a TestOne': 'passed',
    'a TestTwo': 'failed | assertion failed: not repaired',
    'a TestThree': 'skipped | fail_fast',
    'b TestOne': 'skipped | fail_fast',
    'b TestTwo': 'skipped | fail_fast',
    'b TestThree': 'skipped | fail_fast',
  });
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({
    total: 6,
    passed: 1,
    failed: 1,
    skipped: 4,
  });
});

test('--run and -run select functions; an empty selection is reported', async () => {
  const cwd = application({ 'a_test.ts': FILE });
  const selected = async (...args: string[]): Promise<unknown> => {
    const { exitCode } = await runScripts(cwd, args);
    return [exitCode, ...Object.keys(resultsIn(cwd))];
  };
  expect(await selected('--run', 'TestT.*')).toEqual([1, 'TestTwo', 'TestThree']);
  expect(await selected('-run', '^TestOne$')).toEqual([0, 'TestOne']);
  expect(callsIn(cwd)).toEqual(['BeforeAll', 'two', 'three', 'AfterAll', 'BeforeAll', 'one 1', 'AfterAll']);
  expect(await runScripts(cwd, ['--run', 'Nothing'])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      'none of the 3 cases is selected\n  hint: check --run, --tag and --failed; --dry-run lists what would run\n',
  });
});

test('--failed runs what did not pass, with its set-up', async () => {
  const cwd = application({ 'a_test.ts': FILE });
  await runScripts(cwd);
  write(join(cwd, 'repaired'), '');
  const { exitCode } = await assay(['test', '--failed', 'log.jsonl', '-o', 'again.jsonl'], { cwd });
  const { results } = readLog(join(cwd, 'again.jsonl'));
  expect([exitCode, results.map(({ id, status }) => [id, status])]).toEqual([0, [['TestTwo', 'passed']]]);
  expect(callsIn(cwd).slice(-3)).toEqual(['BeforeAll', 'two', 'AfterAll']);
});

const SLOW = `${NOTE}
function BeforeAll() { note('BeforeAll'); }
async function AfterAll() { await sleep(20); note('AfterAll'); }
function AfterEach(t) { note('AfterEach ' + t.name); }
function TestOne(t) { note('one'); t.assert.True(true); }
async function TestSlow(t) { note('slow'); if (!existsSync('quick')) await sleep(Number(process.env.SLOW_MS)); t.assert.True(true); }
function TestLast(t) { note('last'); t.assert.True(true); }
`;

test('after kill -9 of the coordinator the rest runs, and only the rest; no worker is left behind', async () => {
  const cwd = application({
    'a_test.ts': 'function TestDone(t) { t.assert.True(true); }\n',
    'b_test.ts': SLOW.replace("note('slow');", "note('slow'); note('pid ' + process.pid);"),
  });
  const run = start(['test', '-i', 'scripts.expense', '-o', 'log.jsonl', '--parallel', '1'], {
    cwd,
    env: { SLOW_MS: '60000' },
  });
  await until(() => callsIn(cwd).some((line) => line.startsWith('pid ')));
  const pid = Number(
    callsIn(cwd)
      .find((line) => line.startsWith('pid '))
      ?.slice(4),
  );
  await until(() => readFileSync(join(cwd, 'log.jsonl'), 'utf8').includes('"TestDone"'));
  run.child.kill('SIGKILL');
  await run.finished;
  await until(() => !isAlive(pid));

  write(join(cwd, 'quick'), '');
  const { exitCode } = await assay(['test', '--resume', 'log.jsonl'], { cwd, env: { SLOW_MS: '0' } });
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 0,
    'a TestDone': 'passed',
    'b TestOne': 'passed',
    'b TestSlow': 'passed',
    'b TestLast': 'passed',
  });
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(results.filter(({ id }) => id === 'TestDone')).toHaveLength(1);
  expect(summary).toMatchObject({ total: 4, passed: 4, exit_code: 0 });
  const after = callsIn(cwd).filter((line) => !line.startsWith('pid'));
  expect(after.slice(after.lastIndexOf('BeforeAll'))).toEqual(
    expect.arrayContaining([
      'BeforeAll',
      'slow',
      'AfterEach TestSlow',
      'last',
      'AfterEach TestLast',
      'AfterAll',
    ]),
  );
});

function isAlive(pid: number): boolean {
  // A process that is dead but not yet waited for is a zombie.
  if (!existsSync(`/proc/${String(pid)}/stat`)) return false;
  return !/\) Z /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
}

test('Ctrl-C lets the running test end and tears down; the rest is recorded as interrupted', async () => {
  const cwd = application({ 'a_test.ts': SLOW, 'b_test.ts': SLOW });
  const run = start(['test', '-i', 'scripts.expense', '-o', 'log.jsonl', '--parallel', '1'], {
    cwd,
    env: { SLOW_MS: '500' },
  });
  await until(() => callsIn(cwd).includes('slow'));
  run.child.kill('SIGINT');
  const { exitCode } = await run.finished;
  expect({ exitCode, calls: callsIn(cwd), ...ends(cwd) }).toEqual({
    exitCode: 130,
    calls: ['BeforeAll', 'one', 'AfterEach TestOne', 'slow', 'AfterEach TestSlow', 'AfterAll'],
    'a TestOne': 'passed',
    'a TestSlow': 'passed',
    'a TestLast': 'skipped | interrupted',
    'b TestOne': 'skipped | interrupted',
    'b TestSlow': 'skipped | interrupted',
    'b TestLast': 'skipped | interrupted',
  });
});

test('scripts and a case file in one run', async () => {
  const cwd = application(
    { 'a_test.ts': FILE },
    {
      'agent.mjs': 'export default () => "hello";\n',
      'cases.jsonl': [
        { id: 'C1', input: 'x', expected: 'hello' },
        { id: 'C2', input: 'x', expected: 'bye' },
      ],
    },
  );
  const outputs = ['r.json', 'r.xml', 'r.md', 'r.html'].flatMap((name) => ['-o', name]);
  const { exitCode, stdout } = await runScripts(cwd, ['-i', 'cases.jsonl', '-n', './agent.mjs', ...outputs]);
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(exitCode).toBe(1);
  expect(
    results.map(({ id, kind, test_id, status }) => [id, kind, test_id, status].join(' ')).sort(),
  ).toEqual([
    'C1 agent-eval cases.jsonl passed',
    'C2 agent-eval cases.jsonl failed',
    'TestOne script scripts.expense.a passed',
    'TestThree script scripts.expense.a passed',
    'TestTwo script scripts.expense.a failed',
  ]);
  expect(summary).toMatchObject({ total: 5, passed: 3, failed: 2 });
  const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
  expect(report.type).toBeUndefined();
  const entry = report.results.find(({ id }: { id: string }) => id === 'TestTwo');
  expect(entry).toMatchObject({
    id: 'TestTwo',
    name: 'TestTwo',
    script: 'scripts.expense.a',
    script_path: 'expense/src/a_test.ts',
    status: 'failed',
    error: 'assertion failed: not repaired',
    assertion: { type: 'True', expected: true, actual: false, message: 'not repaired' },
  });
  expect(stdout).toContain('TestTwo');
  expect(stdout).toContain('C2');
});

test('a file that has changed is refused on resume', async () => {
  const cwd = application({ 'a_test.ts': SLOW });
  const run = start(['test', '-i', 'scripts.expense', '-o', 'log.jsonl'], { cwd, env: { SLOW_MS: '300' } });
  await until(() => callsIn(cwd).includes('slow'));
  run.child.kill('SIGINT');
  await run.finished;
  write(join(cwd, SOURCES, 'a_test.ts'), `${SLOW}\n// changed\n`);
  expect(await assay(['test', '--resume', 'log.jsonl'], { cwd })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      'expense/src/a_test.ts: the tests or what they import have changed since the run began\n' +
      '  hint: start a new run, or --force to go on with what is there now\n',
  });
});
