// Files of script tests that belong to no assistant: they are named by their path from the root, and everything works with them.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../until.ts';
import { assay, callsIn, endsIn, folder, readLog, start, write } from '../support/assay.ts';
import { read } from '../support/script-files.ts';

const CALC = {
  'src/calc.ts': `export const add = (a: number, b: number): number => a + b;\nfunction half(a: number) { return a / 2; }\n`,
  'src/calc_test.ts': `
function TestAdd(t: testing.T, ctx: agent.Context) {
  t.assert.Equal([add(1, 2), half(4), ctx.AssistantID], [3, 2, 'scripts']);
}
function TestSubtests(t: testing.T) {
  t.run('wrong', (t) => { t.assert.Equal(add(1, 1), 3); });
}
`,
  'lib/deep/money_test.mts': `
import { add } from '../../src/calc.ts';
export async function TestMain(m) { globalThis.started = true; await m.run(); }
export function TestMoney(t) {
  const fn = t.mock.fn(() => add(1, 1));
  t.assert.Equal([fn(), globalThis.started], [2, true]);
}
`,
};

/** Status of every function by the name of its file, and the inputs as they are logged. */
function loggedIn(cwd: string): { inputs: string[]; ends: Record<string, string> } {
  const { start: started, results } = readLog(join(cwd, 'log.jsonl'));
  const inputs = started.inputs.map((input) =>
    input.type === 'script' ? [input.input, input.script, input.script_path, input.file].join(' ') : 'else',
  );
  return {
    inputs,
    ends: Object.fromEntries(results.map(({ test_id, id, status }) => [`${test_id} ${id}`, status])),
  };
}

async function run(cwd: string, ...args: string[]): Promise<number | null> {
  return (await assay(['test', '-o', 'log.jsonl', '--parallel', '1', ...args], { cwd })).exitCode;
}

test('a file sees the names of the module beside it, in a folder that has nothing of an application', async () => {
  const cwd = folder(CALC);
  const { exitCode, stdout, stderr } = await assay(['test', '-i', 'src/calc_test.ts', '-o', 'log.jsonl'], {
    cwd,
  });
  expect([exitCode, stderr]).toEqual([1, '']);
  expect(stdout.split('\n').slice(1, 6)).toEqual([
    '  Script Test: src/calc_test.ts',
    '═'.repeat(79),
    '  Script: src/calc_test.ts',
    '  Tests: 2 functions',
    expect.any(String),
  ]);
  expect(stdout).toContain('at src/calc_test.ts:6:');
  expect(loggedIn(cwd)).toEqual({
    inputs: ['src/calc_test.ts src/calc_test.ts src/calc_test.ts src/calc_test.ts'],
    ends: { 'src/calc_test.ts TestAdd': 'passed', 'src/calc_test.ts TestSubtests': 'failed' },
  });
});

test('several files, patterns and files of assistants; each runs once, in the order of the inputs', async () => {
  const cwd = folder({
    ...CALC,
    'assistants/expense/package.yao': '{}',
    'assistants/expense/src/setup_test.ts': 'function TestSetup(t) { t.assert.True(true); }',
    'src/node_modules/other/x_test.ts': 'function TestForeign(t) { t.assert.True(false); }',
    'src/cases.jsonl': '{"id":"a","input":"x"}\n',
  });
  const args = ['-i', 'lib/deep/money_test.mts', '-i', '**/*_test.{ts,mts}', '-i', './src/calc_test.ts'];
  expect(await run(cwd, ...args)).toBe(1);
  const glob = '**/*_test.{ts,mts}';
  expect(loggedIn(cwd)).toEqual({
    inputs: [
      'lib/deep/money_test.mts lib/deep/money_test.mts lib/deep/money_test.mts lib/deep/money_test.mts',
      `${glob} scripts.expense.setup expense/src/setup_test.ts assistants/expense/src/setup_test.ts`,
      `${glob} src/calc_test.ts src/calc_test.ts src/calc_test.ts`,
    ],
    ends: {
      'lib/deep/money_test.mts TestMoney': 'passed',
      'scripts.expense.setup TestSetup': 'passed',
      'src/calc_test.ts TestAdd': 'passed',
      'src/calc_test.ts TestSubtests': 'failed',
    },
  });
  for (const pattern of ['src/*_test.*', 'src/**/*_test.ts', 'src/*_test.[jt]s']) {
    expect(await run(cwd, '-i', pattern, '--run', 'TestAdd')).toBe(0);
    expect(loggedIn(cwd).ends).toEqual({ 'src/calc_test.ts TestAdd': 'passed' });
  }
});

test('the name is the path from the root wherever the run starts; --failed and --resume find the file again', async () => {
  const cwd = folder({ ...CALC, 'assay.config.json': '{}' });
  const below = join(cwd, 'lib/deep');
  expect(await run(below, '-i', '../../src/*_test.ts')).toBe(1);
  expect(loggedIn(below)).toEqual({
    inputs: ['src/*_test.ts src/calc_test.ts src/calc_test.ts ../../src/calc_test.ts'],
    ends: { 'src/calc_test.ts TestAdd': 'passed', 'src/calc_test.ts TestSubtests': 'failed' },
  });
  const failed = await assay(['test', '--failed', 'lib/deep/log.jsonl', '-o', 'log.jsonl'], { cwd });
  expect(failed.exitCode).toBe(1);
  expect(loggedIn(cwd)).toEqual({
    inputs: ['src/calc_test.ts src/calc_test.ts src/calc_test.ts ../../src/calc_test.ts'],
    ends: { 'src/calc_test.ts TestSubtests': 'failed' },
  });
  const cut = read(below, 'log.jsonl')
    .split('\n')
    .filter((line) => !/"type":"summary"|TestSubtests/.test(line));
  write(join(below, 'log.jsonl'), cut.join('\n'));
  const resumed = await assay(['test', '--resume', 'lib/deep/log.jsonl'], { cwd });
  expect([resumed.exitCode, resumed.stderr]).toEqual([1, '']);
  expect(endsIn(join(below, 'log.jsonl'))).toEqual({
    TestAdd: 'passed',
    TestSubtests: 'failed | assertion failed: expected 2 to equal 3',
  });
});

test('compare pairs its cases, and reports name its file', async () => {
  const cwd = folder(CALC);
  await run(cwd, '-i', 'src/calc_test.ts', '-o', 'before.jsonl');
  write(join(cwd, 'src/calc.ts'), 'export const add = (a, b) => 3;\nconst half = () => 2;\n');
  await run(cwd, '-i', 'src/*_test.ts', '-o', 'after.jsonl', '-o', 'report.xml', '-o', 'report.json');
  const compared = await assay(['compare', 'before.jsonl', 'after.jsonl', '--json'], { cwd });
  expect(compared.stdout).toContain('src/calc_test.ts');
  expect(read(cwd, 'report.xml')).toContain(
    '<testsuite name="src/calc_test.ts" file="src/calc_test.ts" tests="2"',
  );
  expect(JSON.parse(read(cwd, 'report.json'))).toMatchObject({
    type: 'script_test',
    script: 'src/calc_test.ts',
    script_path: 'src/calc_test.ts',
    summary: { total: 2, passed: 2 },
  });
});

test('a definition names a file from its own folder', async () => {
  const cwd = folder({
    ...CALC,
    'assay.config.json': '{}',
    'tests/calc.test.yml': 'id: calc\nname: Calculator\ntype: script\nscript: ../src/calc_test.ts\n',
    'tests/wrong.test.yml': 'id: wrong\nname: Wrong\ntype: script\nscript: ../src/clac_test.ts\n',
  });
  const ran = await assay(['run', 'calc', '-o', 'log.jsonl', '--run', 'TestAdd'], { cwd });
  expect([ran.exitCode, ran.stderr]).toEqual([0, '']);
  expect(loggedIn(cwd)).toEqual({
    inputs: ['src/calc_test.ts src/calc_test.ts src/calc_test.ts src/calc_test.ts'],
    ends: { 'calc TestAdd': 'passed' },
  });
  const wrong = await assay(['run', 'wrong'], { cwd });
  expect([wrong.exitCode, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain('did you mean "');
});

test('--coverage, --dry-run and plan', async () => {
  const cwd = folder(CALC);
  const covered = await assay(['test', '-i', 'lib/**/*_test.mts', '--coverage'], { cwd });
  expect([covered.exitCode, covered.stdout]).toEqual([
    0,
    expect.stringMatching(/calc\.ts +\| +\d+/) as unknown,
  ]);
  const dry = await assay(['test', '-i', 'src/calc_test.ts', '--dry-run'], { cwd });
  expect(dry.stdout).toContain('TestAdd  (src/calc_test.ts; timeout 30s)');
  const planned = await assay(['plan', 'test', '-i', 'src/calc_test.ts'], { cwd });
  expect([planned.exitCode, planned.stdout.split('\n')[0]]).toEqual([
    0,
    expect.stringContaining('2 tests × 1 run = 2 attempts') as unknown,
  ]);
});

test('-w runs again only what reaches the changed file', async () => {
  const note = `import { appendFileSync } from 'node:fs';\nconst note = (line) => appendFileSync('calls.txt', line + '\\n');\n`;
  const cwd = folder({
    'a/one.ts': 'export const one = 1;\n',
    'a/one_test.ts': `${note}function TestOne(t) { note('one ' + one); t.assert.True(true); }\n`,
    'b/two_test.ts': `${note}function TestTwo(t) { note('two'); t.assert.True(true); }\n`,
  });
  let shown = '';
  const watching = start(['test', '-i', '**/*_test.ts', '-w', '--parallel', '1'], { cwd });
  watching.child.stderr?.on('data', (chunk: string) => (shown += chunk));
  const isWatching = (times: number) => () => shown.split('Ctrl-C ends').length > times;
  await until(isWatching(1));
  write(join(cwd, 'a/one.ts'), 'export const one = 2;\n');
  await until(isWatching(2));
  watching.child.kill('SIGINT');
  expect((await watching.finished).exitCode).toBe(130);
  expect(callsIn(cwd)).toEqual(['one 1', 'two', 'one 2']);
});

test('files that a name would not lead to have their path as name', async () => {
  const passing = 'function TestOne(t) { t.assert.True(true); }';
  const cwd = folder({
    'assistants/expense/package.yao': '{}',
    'assistants/expense/src/twin_test.ts': passing,
    'assistants/expense/src/twin_test.js': passing,
    'assistants/my.assistant/src/setup_test.ts': passing,
    'scripts/own_test.ts': passing,
    'odd name[1]_test.ts': passing,
  });
  expect(await run(cwd, '-i', '**/*_test.*')).toBe(0);
  expect(Object.keys(loggedIn(cwd).ends)).toEqual([
    'assistants/expense/src/twin_test.js TestOne',
    'scripts.expense.twin TestOne',
    'assistants/my.assistant/src/setup_test.ts TestOne',
    'odd name[1]_test.ts TestOne',
    'scripts.own TestOne',
  ]);
});

test('bad inputs are told with what there is; exit 2', async () => {
  const cwd = folder({
    ...CALC,
    'src/none_test.ts': 'export const x = 1;\n',
    'src/view_test.tsx': '',
    'lib/readme.md': '',
  });
  mkdirSync(join(cwd, 'lib/folder_test.ts'));
  const told = async (input: string): Promise<string> => {
    const { exitCode, stdout, stderr } = await assay(['test', '-i', input], { cwd });
    expect([exitCode, stdout]).toEqual([2, '']);
    return stderr;
  };
  expect(await told('src/clac_test.ts')).toBe(
    'input file "src/clac_test.ts" does not exist\n  hint: did you mean "src/calc_test.ts"?\n',
  );
  expect(await told('src/warehouse_test.ts')).toBe(
    'input file "src/warehouse_test.ts" does not exist\n  hint: there is src/calc_test.ts, src/none_test.ts\n',
  );
  expect(await told('src/view_test.tsx')).toBe(
    '"src/view_test.tsx" is no test file\n  hint: test files end in .ts, .mts, .js or .mjs\n',
  );
  expect(await told('src')).toBe(
    'folder "src" has no case files (*.jsonl)\n  hint: to run its tests: -i "src/**/*_test.*"\n',
  );
  expect(await told('lib/folder_test.ts')).toBe('folder "lib/folder_test.ts" has no case files (*.jsonl)\n');
  expect(await told('src/none_test.ts')).toBe(
    'no test functions in src/none_test.ts\n' +
      '  hint: a test is a function at the top level whose name starts with Test: function TestSetup(t, ctx) { … }\n',
  );
  expect(await told('src/*_tests.ts')).toBe(
    `no file matches "src/*_tests.ts"\n  hint: patterns start from ${cwd}\n`,
  );
});
