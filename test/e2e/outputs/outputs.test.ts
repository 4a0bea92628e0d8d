// What a run leaves behind: the log, the reports, and what is shown.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asReader, assay, endsIn, folder, logIn, readLog } from '../support/assay.ts';
import { parseXml } from '../support/xml.ts';

/** One case that passes, one that fails, one that crashes, one that is too slow and one that is skipped. */
const FILES = {
  'agent.mjs': `
export default async (messages) => {
  const what = messages[0].content;
  console.log('asked ' + what);
  if (what === 'crash') throw new Error('boom <&> "quoted" ]]>');
  if (what === 'slow') await new Promise(() => {});
  return { said: what };
};`,
  'tests/cases.jsonl': [
    { id: 'skipped', input: 'x', skip: true },
    { id: 'ok', input: 'hello', description: 'It greets', tags: ['smoke'] },
    { id: 'wrong', input: 'bye', expected: { said: 'hello' } },
    { id: 'crash', input: 'crash' },
    { id: 'slow', input: 'slow', timeout: '150ms' },
  ],
};
const RUN = ['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs'];
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

describe('the log', () => {
  test('lies beside the cases as output-YYYYMMDDHHMMSS.jsonl, with start, results and summary', async () => {
    const cwd = folder(FILES);
    const before = Date.now();
    const { exitCode, stdout, stderr } = await assay([...RUN, '-u', 'ada'], { cwd });
    const path = logIn(join(cwd, 'tests'));
    const { start, events, summary } = readLog(path);
    const stamp = /output-(\d{14})\.jsonl$/.exec(path)?.[1] ?? '';
    const time = Date.parse(stamp.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z'));
    expect(Math.abs(time - before)).toBeLessThan(10_000);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(start).toEqual({
      type: 'start',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      agent_id: 'agent.mjs',
      total_cases: 5,
      run_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      log_version: 1,
      runs_per_case: 1,
      environment: { user_id: 'ada', team_id: 'test-team', locale: 'en-us' },
      inputs: [
        {
          type: 'file',
          path: 'tests/cases.jsonl',
          sha256: expect.stringMatching(/^[\da-f]{64}$/),
          agent_id: 'agent.mjs',
          agent_sha256: expect.stringMatching(/^[\da-f]{64}$/),
        },
      ],
      flags: expect.objectContaining({ name: './agent.mjs', user: 'ada', runs: 1, retries: 2 }),
      cwd,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      origin: { node: process.version, os: expect.any(String), machine: expect.any(String) },
    });
    expect(events[2]).toEqual({
      type: 'result',
      id: 'ok',
      run: 1,
      status: 'passed',
      duration_ms: expect.any(Number),
      output: { said: 'hello' },
      verdicts: [{ type: 'answered', status: 'passed' }],
      logs: ['asked hello'],
      key: expect.stringMatching(/^[\da-f]{20,24}$/),
      kind: 'agent-eval',
      test_id: 'tests/cases.jsonl',
      line: 2,
      input: 'hello',
      description: 'It greets',
      tags: ['smoke'],
    });
    expect(endsIn(path)).toEqual({
      ok: 'passed',
      wrong: 'failed | the answer is not the expected one',
      crash: 'error | agent | boom <&> "quoted" ]]>',
      slow: 'timeout | timeout after 150ms',
      skipped: 'skipped | skip',
    });
    expect(summary).toEqual({
      type: 'summary',
      timestamp: expect.any(String),
      total: 5,
      passed: 1,
      failed: 3,
      skipped: 1,
      errors: 1,
      timeouts: 1,
      duration_ms: expect.any(Number),
      total_runs: 4,
      runs_per_case: 1,
      overall_pass_rate: 25,
      stable_cases: 1,
      unstable_cases: 3,
      exit_code: 1,
    });
    expect(stdout).toContain(
      `  Log: tests/output-${stamp}.jsonl\n  Run again what failed: assay test --failed tests/output-${stamp}.jsonl\n`,
    );
  });

  test('lies in .assay/runs for a message, for stdin and when only other formats are asked for', async () => {
    const cwd = folder({ ...FILES, 'assay.config.json': '{}' });
    await assay(['test', '-i', 'hello there', '-n', './agent.mjs'], { cwd });
    await assay(['test', '-i', '-', '-n', './agent.mjs'], { cwd, input: '{"id": "a", "input": "b"}' });
    await assay([...RUN, '-o', 'r.json'], { cwd });
    const logs = readdirSync(join(cwd, '.assay/runs'));
    expect(logs).toHaveLength(3);
    for (const log of logs) expect(`${readLog(join(cwd, '.assay/runs', log)).start.run_id}.jsonl`).toBe(log);
    expect(readdirSync(join(cwd, 'tests'))).toEqual(['cases.jsonl']);
    expect(read(cwd, '.assay/.gitignore')).toBe('*\n');
  });

  test('of two runs in the same second are two logs', async () => {
    const cwd = folder({ ...FILES, 'tests/cases.jsonl': [{ id: 'ok', input: 'hello' }] });
    await Promise.all([1, 2, 3].map(() => assay(RUN, { cwd })));
    expect(readdirSync(join(cwd, 'tests')).filter((name) => name.startsWith('output-'))).toHaveLength(3);
  });

  test('goes elsewhere if the folder of the cases, or the whole application, cannot be written', async () => {
    const cwd = folder({
      ...FILES,
      'assay.config.json': '{}',
      'tests/cases.jsonl': [{ id: 'ok', input: 'hello' }],
      '.assay/x': '',
    });
    const reader = { cwd, ...asReader(join(cwd, 'tests')) };
    // Whoever runs it may write to the state of the application, or to nothing of it.
    chmodSync(cwd, 0o755);
    chmodSync(join(cwd, '.assay'), 0o777);
    const beside = await assay(RUN, reader);
    expect(beside).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/ {2}Log: \.assay\/runs\/[\da-f-]+\.jsonl\n/),
      stderr: '',
    });

    rmSync(join(cwd, '.assay'), { recursive: true });
    asReader(cwd);
    const away = await assay(RUN, reader);
    const log = /^.* cannot be written; the log is in (.*\.jsonl)\n/.exec(away.stderr)?.[1] ?? '';
    expect({ exitCode: away.exitCode, stderr: away.stderr, ...endsIn(log) }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^.*\nthe history could not be written: EACCES.*\n$/),
      ok: 'passed',
    });
    rmSync(dirname(log), { recursive: true });
  });
});

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

  const suites = parseXml(read(cwd, 'r.xml'));
  expect(suites).toMatchObject({
    name: 'testsuites',
    attributes: { tests: '5', failures: '2', errors: '1', skipped: '1' },
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
    /^Agent Test: agent\.mjs\nSummary: 1 passed, 3 failed, 1 skipped \(.*\)\nErrors: 1\nTimeouts: 1\nPass rate: 25%\n\nNot passed:\n {2}wrong \(failed\): the answer is not the expected one\n {2}crash \(error\): boom.*\n {2}slow \(timeout\): timeout after 150ms\n$/,
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

test('an output that cannot be written is exit 3, and nothing is executed for it', async () => {
  const cwd = folder({ ...FILES, 'file.txt': '' });
  for (const output of ['file.txt/r.json', 'file.txt/log.jsonl']) {
    const { exitCode, stderr, stdout } = await assay([...RUN, '-o', output], { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: expect.stringMatching(/^cannot (write|open) .*file\.txt/),
    });
  }
  mkdirSync(join(cwd, 'folder.json'));
  const { exitCode } = await assay([...RUN, '-o', 'folder.json', '--run', 'ok'], { cwd });
  expect({ exitCode, isFolder: statSync(join(cwd, 'folder.json')).isDirectory() }).toEqual({
    exitCode: 3,
    isFolder: true,
  });
  const late = await assay(['report', 'file.txt/none', '-o', 'x.json'], { cwd });
  expect(late.exitCode).toBe(2);
  expect(existsSync(join(cwd, 'x.json'))).toBe(false);
});

test('a case file is never taken for an output', async () => {
  const cwd = folder(FILES);
  const before = read(cwd, 'tests/cases.jsonl');
  for (const more of [[], ['--dry-run']]) {
    const { exitCode, stdout, stderr } = await assay([...RUN, '-o', './tests/cases.jsonl', ...more], { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'the output tests/cases.jsonl is a case file of this run\n  hint: choose another name for -o\n',
    });
  }
  expect(read(cwd, 'tests/cases.jsonl')).toBe(before);
});

test('cases, logs and reports do not replace each other', async () => {
  const cwd = folder({ ...FILES, 'other.jsonl': '{"input": "mine"}\n', 'empty.jsonl': '' });
  const ended = async (...more: string[]): Promise<string> => {
    const { exitCode, stderr } = await assay([...RUN, ...more], { cwd });
    return `${String(exitCode)} ${stderr.split('\n')[0] ?? ''}`;
  };
  expect([
    await ended('-o', 'other.jsonl'),
    await ended('-o', 'empty.jsonl'),
    await ended('-o', 'empty.jsonl'),
    await ended('-o', 'empty.jsonl', '--dry-run'),
    await ended('-o', 'report.json', '--dry-run'),
    await ended('-o', 'other.jsonl', '--dry-run'),
  ]).toEqual([
    '2 the output other.jsonl is there already and is no run log',
    '1 ',
    '1 ',
    '2 the output empty.jsonl is a run log, which cases would replace',
    '2 --dry-run saves cases, and report.json is no .jsonl file',
    '0 Cases: other.jsonl',
  ]);
  expect([existsSync(join(cwd, 'report.json')), readLog(join(cwd, 'empty.jsonl')).results.length]).toEqual([
    false,
    read(cwd, 'tests/cases.jsonl').trim().split('\n').length,
  ]);
});

test('a full disk is exit 3: for the log at once, for a report after the results were kept', async () => {
  const cwd = folder({ ...FILES, 'assay.config.json': '{}' });
  symlinkSync('/dev/full', join(cwd, 'full.jsonl'));
  symlinkSync('/dev/full', join(cwd, 'full.json'));
  const log = await assay([...RUN, '-o', 'full.jsonl'], { cwd });
  expect({ exitCode: log.exitCode, stderr: log.stderr }).toEqual({
    exitCode: 3,
    stderr: expect.stringMatching(
      /^cannot write the run log .*full\.jsonl: ENOSPC.*\n {2}hint: make room or choose another/,
    ),
  });
  const report = await assay([...RUN, '-o', 'full.json', '--run', 'ok'], { cwd });
  const kept = /The results are in (.*)\.\n$/.exec(report.stderr)?.[1] ?? '';
  expect({ exitCode: report.exitCode, ...endsIn(join(cwd, kept)) }).toEqual({ exitCode: 3, ok: 'passed' });
});
