// What a run of scripts shows and leaves behind, in every format.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, readLog } from '../support/assay.ts';
import { eventsInHtml } from '../support/html-events.ts';
import { application, read, resultsIn, runScripts, SOURCES } from '../support/script-files.ts';
import type { Element } from '../support/xml.ts';
import { parseXml } from '../support/xml.ts';
import { junitProblems } from '../../fixtures/junit-schema.ts';

const SETUP = `
export function SystemReady(ctx) { return ctx.User !== null; }
export function Setup(ctx, data) { return { id: data.id + 1 }; }
`;
const TESTS = `
function TestSystemReady(t: testing.T, ctx: agent.Context) {
  t.log('ready?');
  t.assert.True(SystemReady(ctx), 'SystemReady should return true');
}
function TestSetupWithMockData(t: testing.T, ctx: agent.Context) {
  const result = Setup(ctx, { id: 1 });
  t.assert.Equal(result.id, 1, 'Result ID should match');
}
function TestThrows() { throw new Error('boom <&> ]]>'); }
function TestLater(t) { t.skip('needs a database'); }
function TestNothing() {}
`;
const RUN = ['test', '-i', 'scripts.expense.setup'];
const files = (): string => application({ 'setup.ts': SETUP, 'setup_test.ts': TESTS });
/** Times differ from run to run. */
const timeless = (text: string): string => text.replaceAll(/\((?:\d+(?:\.\d+)?m?s)(, [^)]*)?\)/g, '(TIME$1)');

const LINE = '─'.repeat(79);
const DOUBLE = '═'.repeat(79);

test('the screen, the log and its place', async () => {
  const cwd = files();
  const { exitCode, stdout, stderr } = await assay([...RUN, '-u', 'ada'], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  const log = /Log: (\S+)\n/.exec(stdout)?.[1] ?? '';
  expect(timeless(stdout)).toBe(`${DOUBLE}
  Script Test: scripts.expense.setup
${DOUBLE}
  Script: expense/src/setup_test.ts
  Tests: 5 functions
  User: ada
  Team: test-team
${LINE}
  Running Tests
${LINE}
► [TestSystemReady] ...
  ✓ PASSED (TIME)

► [TestSetupWithMockData] ...
  ✗ FAILED (TIME)
    └─ assertion failed: Result ID should match
       expected: 1
       actual: 2
       at ${SOURCES}/setup_test.ts:8:12

► [TestThrows] ...
  ✗ ERROR (TIME)
    └─ boom <&> ]]>
       at TestThrows (${SOURCES}/setup_test.ts:10:31)

► [TestLater] ...
  ○ SKIPPED: needs a database

► [TestNothing] ...
  ✓ PASSED (TIME, no assertions)

${DOUBLE}
  Summary: 2 passed, 2 failed, 1 skipped (TIME)
  Errors: 1
${DOUBLE}
  Log: ${log}
  Run again what failed: assay test --failed ${log}
`);
  expect(log).toMatch(/^\.assay\/runs\/[\da-f-]+\.jsonl$/);
  expect(readLog(join(cwd, log)).start.inputs).toEqual([
    {
      type: 'script',
      input: 'scripts.expense.setup',
      script: 'scripts.expense.setup',
      script_path: 'expense/src/setup_test.ts',
      file: 'assistants/expense/src/setup_test.ts',
      sha256: expect.stringMatching(/^[\da-f]{64}$/),
      agent_id: 'expense',
      agent_sha256: expect.stringMatching(/^[\da-f]{64}$/),
    },
  ]);
  expect(readdirSync(join(cwd, SOURCES)).sort()).toEqual(['setup.ts', 'setup_test.ts']);
});

/** What every entry of a report says about stability; of one run. */
const stability = (passed: number): Record<string, unknown> => ({
  runs: 1,
  passed,
  failed: 1 - passed,
  pass_rate: passed * 100,
  consistency: 1,
  stable: passed === 1,
  stability_class: passed === 1 ? 'Stable' : 'Highly Unstable',
  avg_duration_ms: expect.any(Number),
  min_duration_ms: expect.any(Number),
  max_duration_ms: expect.any(Number),
  std_deviation_ms: 0,
});

test('.json, .jsonl, .md, .xml and .html, several at once', async () => {
  const cwd = files();
  const outputs = ['log.jsonl', 'r.json', 'r.md', 'r.xml', 'r.html'];
  const { exitCode, stdout } = await assay([...RUN, ...outputs.flatMap((name) => ['-o', name])], { cwd });
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    '  Log: log.jsonl\n  Report: r.json\n  Report: r.md\n  Report: r.xml\n  Report: r.html\n',
  );
  const duration_ms = expect.any(Number);
  const wrong = { type: 'Equal', expected: 1, actual: 2, message: 'Result ID should match' };
  expect(JSON.parse(read(cwd, 'r.json'))).toEqual({
    type: 'script_test',
    script: 'scripts.expense.setup',
    script_path: 'expense/src/setup_test.ts',
    summary: {
      total: 5,
      passed: 2,
      failed: 2,
      skipped: 1,
      duration_ms,
      errors: 1,
      timeouts: 0,
      total_cases: 5,
      total_runs: 4,
      runs_per_case: 1,
      overall_pass_rate: 50,
      pass_rate_interval: { low: 15, high: 85 },
      stable_cases: 2,
      unstable_cases: 2,
    },
    environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    results: [
      { name: 'TestSystemReady', status: 'passed', duration_ms, logs: ['ready?'], line: 2, ...stability(1) },
      {
        name: 'TestSetupWithMockData',
        status: 'failed',
        duration_ms,
        error: 'assertion failed: Result ID should match',
        assertion: wrong,
        assertions: [{ ...wrong, at: `${SOURCES}/setup_test.ts:8:12` }],
        logs: [],
        line: 6,
        ...stability(0),
      },
      {
        name: 'TestThrows',
        status: 'error',
        duration_ms,
        error: 'boom <&> ]]>',
        code: 'agent',
        stack: `Error: boom <&> ]]>\n    at TestThrows (${SOURCES}/setup_test.ts:10:31)`,
        logs: [],
        line: 10,
        ...stability(0),
      },
      {
        name: 'TestNothing',
        status: 'passed',
        duration_ms,
        no_assertions: true,
        logs: [],
        line: 12,
        ...stability(1),
      },
    ],
    skipped_cases: [{ name: 'TestLater', reason: 'skip', message: 'needs a database' }],
    metadata: {
      started_at: expect.any(String),
      completed_at: expect.any(String),
      version: expect.any(String),
      run_id: expect.any(String),
    },
  });

  expect(junitProblems(read(cwd, 'r.xml'))).toEqual([]);
  const suites = parseXml(read(cwd, 'r.xml'));
  const [suite] = suites.children;
  expect(suites.name).toBe('testsuites');
  expect(suite?.attributes).toMatchObject({
    name: 'scripts.expense.setup',
    file: 'assistants/expense/src/setup_test.ts',
    tests: '5',
    failures: '1',
    errors: '1',
    skipped: '1',
  });
  const cases = (suite?.children ?? []).filter(({ name }) => name === 'testcase');
  const told = ({ name, attributes: { message, type } }: Element): string =>
    [name, message, type].filter(Boolean).join(' | ');
  expect(
    cases.map(({ attributes: { classname, name }, children }) => [
      classname,
      name,
      children.map(told).join(),
    ]),
  ).toEqual([
    ['scripts.expense.setup', 'TestSystemReady', 'system-out'],
    [
      'scripts.expense.setup',
      'TestSetupWithMockData',
      'failure | assertion failed: Result ID should match | Equal',
    ],
    ['scripts.expense.setup', 'TestThrows', expect.stringMatching(/^error \| boom <&> /)],
    ['scripts.expense.setup', 'TestLater', 'skipped | needs a database'],
    ['scripts.expense.setup', 'TestNothing', ''],
  ]);

  const markdown = read(cwd, 'r.md');
  for (const part of [
    'scripts.expense.setup',
    'TestSetupWithMockData',
    'Result ID should match',
    `${SOURCES}/setup_test.ts:8:12`,
    'needs a database',
    'no assertions',
  ])
    expect(markdown).toContain(part);
  const html = read(cwd, 'r.html');
  expect(html).toMatch(/^<!doctype html>/i);
  // What was printed and thrown is in there, but nowhere as markup.
  expect(html).not.toContain('boom');
  const log = read(cwd, 'log.jsonl').trim().split('\n');
  expect(eventsInHtml(html)).toEqual(log.map((line) => JSON.parse(line) as unknown));
});

test('-r and --json write a report to stdout; "assay report" makes it from the log', async () => {
  const cwd = files();
  const json = await assay([...RUN, '--json', '-o', 'log.jsonl'], { cwd });
  expect(json.exitCode).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ type: 'script_test', summary: { total: 5, passed: 2 } });
  const summary = await assay([...RUN, '-r', 'report.summary', '-o', 's.txt'], { cwd });
  expect(summary.exitCode).toBe(1);
  const [again, html] = await Promise.all([
    assay(['report', 'log.jsonl', '--json'], { cwd }),
    assay([...RUN, '-r', 'report.html', '-o', 'page.html'], { cwd }),
  ]);
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(json.stdout));
  expect(html.exitCode).toBe(1);
  expect(read(cwd, 'page.html')).toMatch(/^<!doctype html>/i);
});

test('several scripts: every result names its script and file; suites by script; -v shows logs and subtests', async () => {
  const cwd = application({
    'a_test.ts': `function TestSame(t) { t.log('from a'); t.run('part', (t) => t.assert.True(true)); }\n`,
    'b_test.ts': `function TestSame(t) { t.assert.Equal({ a: 1, b: [1] }, { a: 1, b: [2] }, 'differs'); }\nfunction TestSkipped(t) { t.skip(); }\n`,
  });
  const { exitCode, stdout } = await runScripts(cwd, [
    '-v',
    '--parallel',
    '1',
    '-o',
    'r.json',
    '-o',
    'r.xml',
  ]);
  expect(exitCode).toBe(1);
  expect(timeless(stdout)).toContain(`  Script Test: scripts.expense
${DOUBLE}
  Script: expense/src/a_test.ts
  Script: expense/src/b_test.ts
  Tests: 3 functions
`);
  expect(timeless(stdout)).toContain(`► [scripts.expense.a TestSame] ...
  ✓ PASSED (TIME)
    ✓ part (TIME)
    logs:
       from a
`);
  const report = JSON.parse(read(cwd, 'r.json'));
  expect(report).toMatchObject({ type: 'script_test', script: 'scripts.expense' });
  expect(report.script_path).toBeUndefined();
  expect(
    report.results.map(({ name, script, script_path }: Record<string, string>) => [
      name,
      script,
      script_path,
    ]),
  ).toEqual([
    ['TestSame', 'scripts.expense.a', 'expense/src/a_test.ts'],
    ['TestSame', 'scripts.expense.b', 'expense/src/b_test.ts'],
  ]);
  expect(report.skipped_cases).toEqual([
    {
      name: 'TestSkipped',
      script: 'scripts.expense.b',
      script_path: 'expense/src/b_test.ts',
      reason: 'skip',
    },
  ]);
  expect(
    parseXml(read(cwd, 'r.xml')).children.map(({ attributes }) => [attributes['name'], attributes['tests']]),
  ).toEqual([
    ['scripts.expense.a', '1'],
    ['scripts.expense.b', '2'],
  ]);
  expect(resultsIn(cwd)['b TestSame']?.verdicts?.[0]?.diff).toBe(
    '- expected\n+ actual\n\n  {\n    "a": 1,\n    "b": [\n-     2\n+     1\n    ]\n  }',
  );
});

test('an agent writes the report of script tests', async () => {
  const cwd = application(
    {
      'a_test.ts': `
        export function TestGood(t) { t.log('seen'); t.assert.True(true); }
        export function TestBad(t) { t.assert.Equal(1, 2); }
        export function TestSkipped(t) { t.skip('not today'); }`,
    },
    {
      'assistants/press/package.yao': { run: { module: './press.mjs' } },
      'assistants/press/press.mjs': `export default (messages) => {
        const { report, format, options } = JSON.parse(messages[0].content);
        return [format, report.type, report.script, report.summary.total, ...report.results.map(({ name, status, logs }) => name + ' ' + status + ' ' + (logs ?? []))].join('\\n');
      };`,
    },
  );
  const { exitCode } = await runScripts(cwd, ['-r', 'press', '-o', 'r.md']);
  expect({ exitCode, report: read(cwd, 'r.md') }).toEqual({
    exitCode: 1,
    report: 'markdown\nscript_test\nscripts.expense.a\n3\nTestGood passed seen\nTestBad failed ',
  });
});
