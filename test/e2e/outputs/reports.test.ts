// The reports of a run: -o, --json, -r and `assay report`.

import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { assay, folder, readLog, start } from '../support/assay.ts';
import { FILES, RUN } from '../support/output-files.ts';
import { resultEvent, startEvent, summaryEvent } from '../../fixtures/logs/agent-log.ts';
import { until } from '../../until.ts';
import { parseXml } from '../support/xml.ts';
import { junitProblems } from '../../fixtures/junit-schema.ts';

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

test('-o of every format, several at once', async () => {
  const cwd = folder(FILES);
  const outputs = ['log.jsonl', 'copy.jsonl', 'deep/er/r.json', 'r.md', 'r.xml'];
  const { exitCode, stdout } = await assay([...RUN, ...outputs.flatMap((output) => ['-o', output])], { cwd });
  expect(exitCode).toBe(1);
  expect(read(cwd, 'copy.jsonl')).toBe(read(cwd, 'log.jsonl'));
  expect(stdout).toContain('  Log: log.jsonl\n  Report: deep/er/r.json\n  Report: r.md\n  Report: r.xml\n');
  expect(readdirSync(join(cwd, 'tests'))).toEqual(['cases.jsonl']);

  const report = JSON.parse(read(cwd, 'deep/er/r.json'));
  expect(Object.keys(report)).toEqual(['summary', 'environment', 'results', 'skipped_cases', 'metadata']);
  expect(report.summary).toMatchObject({
    total: 5,
    passed: 1,
    failed: 3,
    skipped: 1,
    errors: 1,
    timeouts: 1,
    agent_id: 'agent.mjs',
    connector: null,
  });
  expect(report.results[0]).toMatchObject({
    id: 'ok',
    status: 'passed',
    input: 'hello',
    output: { said: 'hello' },
    expected: null,
    error: null,
    runs: 1,
    pass_rate: 100,
    stable: true,
  });
  expect(report.results.map(({ id, status, error }: Record<string, unknown>) => [id, status, error])).toEqual(
    [
      ['ok', 'passed', null],
      ['wrong', 'failed', 'the answer is not the expected one'],
      ['crash', 'error', 'boom <&> "quoted" ]]>'],
      ['slow', 'timeout', 'timeout after 150ms'],
    ],
  );
  expect(report.skipped_cases).toEqual([{ id: 'skipped', test_id: 'tests/cases.jsonl', reason: 'skip' }]);
  expect(report.metadata).toEqual({
    started_at: expect.any(String),
    completed_at: expect.any(String),
    version: expect.any(String),
    run_id: readLog(join(cwd, 'log.jsonl')).start.run_id,
  });

  const markdown = read(cwd, 'r.md');
  expect(markdown).toMatch(/^# Agent Test Report\n\n## Summary\n\n\| Metric\s+\| Value\s+\|\n/);
  expect(markdown.match(/^### .*$/gm)?.map((line) => line.replace(/\(.*\)/, '()'))).toEqual([
    '### ✅ ok - Passed ()',
    '### ❌ wrong - Failed ()',
    '### ⚠️ crash - Error ()',
    '### ⏱️ slow - Timeout ()',
  ]);

  expect(junitProblems(read(cwd, 'r.xml'))).toEqual([]);
  const suites = parseXml(read(cwd, 'r.xml'));
  const counts = { tests: '5', failures: '2', errors: '1' };
  expect(suites).toMatchObject({
    name: 'testsuites',
    attributes: counts,
    children: [{ name: 'testsuite', attributes: { ...counts, skipped: '1' } }],
  });
  const cases = suites.children[0]?.children.filter((element) => element.name === 'testcase') ?? [];
  const inside = (element: { name: string; attributes: Record<string, string> }): string =>
    [element.name, element.attributes['message']].filter((part) => part !== undefined).join(' ');
  expect(cases.map(({ attributes, children }) => [attributes['name'], children.map(inside)])).toEqual([
    ['skipped', ['skipped skip']],
    ['ok', ['system-out']],
    ['wrong', ['failure the answer is not the expected one', 'system-out']],
    ['crash', ['error boom <&> "quoted" ]]>', 'system-out']],
    ['slow', ['failure timeout after 150ms', 'system-out']],
  ]);
});

test('-o - streams the log, --json prints the report; the screen moves to stderr', async () => {
  const cwd = folder(FILES);
  const stream = await assay([...RUN, '-o', '-'], { cwd });
  expect(stream.exitCode).toBe(1);
  expect(
    stream.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  ).toEqual(['start', ...Array.from({ length: 5 }, () => 'result'), 'summary']);
  expect(stream.stderr).toContain('Summary: 1 passed, 3 failed, 1 skipped');

  const json = await assay([...RUN, '--json'], { cwd });
  expect(JSON.parse(json.stdout).summary).toMatchObject({ total: 5, passed: 1 });
  expect(json.stderr).toContain('Summary: 1 passed, 3 failed, 1 skipped');
});

test('-r chooses a built-in report', async () => {
  const cwd = folder(FILES);
  const summary = await assay([...RUN, '-r', 'report.summary'], { cwd });
  expect(summary.stdout).toMatch(
    /^Agent Test: agent\.mjs\nSummary: 1 passed, 3 failed, 1 skipped \(.*\)\nErrors: 1\nTimeouts: 1\nPass rate: 25% \(cases like these: 4\.6% to 69\.9%\)\n\nNot passed:\n {2}wrong \(failed\): the answer is not the expected one\n {2}crash \(error\): boom.*\n {2}slow \(timeout\): timeout after 150ms\n$/,
  );
  // A log is a log: what else is asked for goes to stdout.
  const beside = await assay([...RUN, '-r', 'report.summary', '-o', 'log.jsonl'], { cwd });
  expect(beside.stdout).toMatch(/^Agent Test: agent\.mjs\nSummary: 1 passed/);
  expect(readLog(join(cwd, 'log.jsonl')).results).toHaveLength(5);
  await assay([...RUN, '-r', 'report.markdown', '-o', 'any.txt'], { cwd });
  expect(read(cwd, 'any.txt')).toMatch(/^# Agent Test Report\n/);
  await assay([...RUN, '-r', 'report.json', '-o', 'any.report'], { cwd });
  expect(JSON.parse(read(cwd, 'any.report')).summary.total).toBe(5);
});

test('assay report makes any report of a log later, also of one that was cut off', async () => {
  const cwd = folder(FILES);
  await assay([...RUN, '-o', 'log.jsonl', '-o', 'then.json', '-o', 'then.md', '-o', 'then.xml'], { cwd });
  const { exitCode, stdout } = await assay(
    ['report', 'log.jsonl', '-o', 'now.json', '-o', 'now.md', '-o', 'now.xml'],
    { cwd },
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  for (const extension of ['json', 'md', 'xml'])
    expect(read(cwd, `now.${extension}`)).toBe(read(cwd, `then.${extension}`));
  expect((await assay(['report', 'log.jsonl'], { cwd })).stdout).toMatch(/^Agent Test: agent\.mjs\n/);
  expect((await assay(['report', 'log.jsonl', '-o', '-'], { cwd })).stdout).toBe(read(cwd, 'log.jsonl'));

  const text = read(cwd, 'log.jsonl');
  truncateSync(join(cwd, 'log.jsonl'), text.indexOf('"id":"slow"') + 5);
  const cut = await assay(['report', 'log.jsonl', '--json'], { cwd });
  const report = JSON.parse(cut.stdout);
  expect(cut.exitCode).toBe(0);
  expect(report.summary).toMatchObject({
    total: 4,
    total_cases: 5,
    passed: 1,
    failed: 2,
    skipped: 1,
    duration_ms: null,
  });
  expect(report.metadata.completed_at).toBeNull();

  const wrong = await assay(['report', 'tests/cases.jsonl'], { cwd });
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('cases.jsonl') });
  const none = await assay(['report', 'none.jsonl'], { cwd });
  expect(none).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('none.jsonl') });
});

test('kills while reports are written leave nothing behind, and the old report whole', async () => {
  const lines = Array.from({ length: 4000 }, (_, index) =>
    resultEvent(`T${String(index)}`, { output: 'x'.repeat(300) }),
  );
  const cwd = folder({
    'log.jsonl': [startEvent({ total_cases: 4000 }), ...lines, summaryEvent({ total: 4000, passed: 4000 })],
    '.1-abc.tmp': '',
  });
  const report = ['report', 'log.jsonl', '-o', 'report.html', '-o', 'r.json', '-o', 'r.xml'];
  expect((await assay(report, { cwd })).exitCode).toBe(0);
  const whole = ['report.html', 'r.json', 'r.xml'].map((name) => read(cwd, name));
  let left = 0;
  for (let round = 0; round < 12; round += 1) {
    const { child, finished } = start(report, { cwd });
    const isWriting = (): boolean => readdirSync(cwd).some((name) => name.startsWith('.assay-'));
    if (round % 2 === 0) await until(isWriting);
    await sleep(round * 15);
    child.kill('SIGKILL');
    await finished;
    if (isWriting()) left += 1;
    expect(['report.html', 'r.json', 'r.xml'].map((name) => read(cwd, name))).toEqual(whole);
  }
  expect(left).toBeGreaterThan(0);
  await assay(report, { cwd });
  expect(readdirSync(cwd).toSorted()).toEqual(['.1-abc.tmp', 'log.jsonl', 'r.json', 'r.xml', 'report.html']);
});
