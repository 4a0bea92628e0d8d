// The run log: where it lies and what is in it.

import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { asReader, assay, endsIn, folder, logIn, outputsIn, readLog } from '../support/assay.ts';
import { FILES, RUN } from '../support/output-files.ts';

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

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
    case_sha: expect.stringMatching(/^[\da-f]{24}$/),
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
    pass_rate_interval: { low: 4.6, high: 69.9 },
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

test('half a character in an answer, an error or a log line leaves the log readable for everybody', async () => {
  const cwd = folder({
    'agent.mjs': `export default (messages) => {
      console.log('log \\ud83d');
      if (messages[0].content === 'throw') throw new Error('thrown \\ud83d');
      return messages[0].content === 'text' ? 'half \\ud83d' : { text: 'half \\ude00' };
    };`,
    'cases.jsonl': ['text', 'object', 'throw'].map((id) => ({ id, input: id })),
  });
  expect(
    (await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd })).exitCode,
  ).toBe(1);
  const log = join(cwd, 'log.jsonl');
  expect(readFileSync(log, 'utf8')).not.toMatch(/\\ud/i);
  expect(outputsIn(log)).toEqual({ text: 'half \uFFFD', object: { text: 'half \uFFFD' } });
  expect(endsIn(log)['throw']).toBe('error | agent | thrown \uFFFD');
});
