// How a run goes: repeats, limits, selection and stopping early.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog } from '../support/assay.ts';

/** Notes every call, and behaves as the message asks for: `pass`, `fail`, `wait 500`, `flaky 3` (fails every third time). */
const AGENT = `
import { appendFileSync } from 'node:fs';
const seen = new Map();
export default async (messages, ctx) => {
  const [what, number] = messages[0].content.split(' ');
  appendFileSync('calls.txt', what + '\\n');
  if (what === 'wait') await new Promise((done) => setTimeout(done, Number(number)));
  if (what === 'throw') throw new Error('thrown');
  const count = (seen.get(what) ?? 0) + 1;
  seen.set(what, count);
  if (what === 'flaky' && count % Number(number) === 0) return 'wrong';
  return what === 'fail' ? 'wrong' : 'right';
};
`;

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function runFolder(inputs: Record<string, string>, more: Record<string, unknown> = {}): string {
  const cases = Object.entries(inputs).map(([id, input]) => ({ id, input, expected: 'right' }));
  return folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases, ...more });
}

test('--runs with --parallel: figures of stability in the JSON report, ready for jq', async () => {
  const cwd = runFolder({ steady: 'pass', flaky: 'flaky 3', never: 'fail' });
  const { exitCode, stdout } = await assay([...RUN, '--runs', '3', '--parallel', '3', '-o', 'r.json'], {
    cwd,
  });
  const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
  const byId = Object.fromEntries(report.results.map((result: { id: string }) => [result.id, result]));
  expect(exitCode).toBe(1);
  expect(readLog(join(cwd, 'log.jsonl')).results).toHaveLength(9);
  expect(report.summary).toMatchObject({
    total: 3,
    passed: 1,
    failed: 2,
    skipped: 0,
    total_cases: 3,
    total_runs: 9,
    runs_per_case: 3,
    overall_pass_rate: 55.6,
    pass_rate_interval: { low: 15.1, high: 89.8 },
    stable_cases: 1,
    unstable_cases: 2,
  });
  const durations = {
    avg_duration_ms: expect.any(Number),
    min_duration_ms: expect.any(Number),
    max_duration_ms: expect.any(Number),
    std_deviation_ms: expect.any(Number),
  };
  expect(byId['steady']).toMatchObject({
    status: 'passed',
    runs: 3,
    passed: 3,
    failed: 0,
    pass_rate: 100,
    consistency: 1,
    stable: true,
    stability_class: 'Stable',
    ...durations,
  });
  expect(byId['flaky']).toMatchObject({
    status: 'failed',
    runs: 3,
    passed: 2,
    failed: 1,
    pass_rate: 66.7,
    consistency: 0.67,
    stable: false,
    stability_class: 'Unstable',
    ...durations,
  });
  expect(byId['never']).toMatchObject({
    status: 'failed',
    runs: 3,
    passed: 0,
    failed: 3,
    pass_rate: 0,
    consistency: 1,
    stable: false,
    stability_class: 'Highly Unstable',
    ...durations,
  });
  expect(byId['flaky'].run_details.map(({ run }: { run: number }) => run)).toEqual([1, 2, 3]);
  expect(report.results.every((result: { pass_rate: number }) => result.pass_rate >= 80)).toBe(false);
  expect(report.results.every((result: { pass_rate: number }) => result.pass_rate >= 0)).toBe(true);
  expect(stdout).toContain('[2/3 runs, Unstable]');
  expect(stdout).toContain(
    '  Pass rate: 55.6% (mean of 3 cases, 9 runs); cases like these: 15.1% to 89.8%\n  Stability: 1 stable, 2 unstable\n',
  );
});

test('--min-pass-rate: a case passes if enough of its runs do', async () => {
  const cwd = runFolder({ flaky: 'flaky 3' });
  const run = async (rate: string) =>
    (await assay([...RUN, '--runs', '3', '--min-pass-rate', rate], { cwd })).exitCode;
  expect([await run('66'), await run('67'), await run('66%')]).toEqual([0, 1, 0]);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({
    passed: 1,
    failed: 0,
    stable_cases: 0,
    unstable_cases: 1,
  });
});

test('--timeout, and the timeout of a case over it', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [
      { id: 'long', input: 'wait 3000' },
      { id: 'own', input: 'wait 3000', timeout: '100ms' },
      { id: 'allowed', input: 'wait 500', timeout: '1m' },
    ],
  });
  const { exitCode } = await assay([...RUN, '--timeout', '250ms', '--parallel', '3'], { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    long: 'timeout | timeout after 250ms',
    own: 'timeout | timeout after 100ms',
    allowed: 'passed',
  });
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ failed: 2, timeouts: 2, errors: 0 });
});

test('--parallel bounds how many run at the same time', async () => {
  const agent = `let now = 0, most = 0; export default async () => { most = Math.max(most, ++now); await new Promise((d) => setTimeout(d, 30)); now--; return most; };`;
  const cwd = folder({
    'agent.mjs': agent,
    'cases.jsonl': Array.from({ length: 12 }, (_, index) => ({ id: `T${String(index)}`, input: 'hi' })),
  });
  const most = async (...args: string[]) => {
    await assay([...RUN, ...args], { cwd });
    return Math.max(...readLog(join(cwd, 'log.jsonl')).results.map(({ output }) => Number(output)));
  };
  expect([await most(), await most('--parallel', '4')]).toEqual([1, 4]);
});

test('--fail-fast stops at the first case that does not pass; the rest is recorded as skipped for that reason', async () => {
  const cwd = runFolder({ one: 'pass', two: 'fail', three: 'pass', four: 'pass' });
  const { exitCode, stdout } = await assay([...RUN, '--fail-fast', '-o', 'r.json'], { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    one: 'passed',
    two: 'failed | the answer is not the expected one',
    three: 'skipped | fail_fast',
    four: 'skipped | fail_fast',
  });
  expect(callsIn(cwd)).toEqual(['pass', 'fail']);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({
    total: 4,
    passed: 1,
    failed: 1,
    skipped: 2,
    total_runs: 2,
  });
  expect(stdout).toContain('○ 2 cases not run (stopped after the first failure)\n');
  expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')).skipped_cases).toEqual([
    { id: 'three', test_id: 'cases.jsonl', reason: 'fail_fast' },
    { id: 'four', test_id: 'cases.jsonl', reason: 'fail_fast' },
  ]);
});

test('--fail-fast with --parallel: what runs is finished, nothing new begins', async () => {
  const cwd = runFolder({ slow: 'wait 400', bad: 'fail', after: 'pass', later: 'pass' });
  const { exitCode } = await assay([...RUN, '--fail-fast', '--parallel', '2'], { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    slow: 'passed',
    bad: 'failed | the answer is not the expected one',
    after: 'skipped | fail_fast',
    later: 'skipped | fail_fast',
  });
});

test('--fail-fast with --runs stops as soon as a case cannot pass any more', async () => {
  const cwd = runFolder({ bad: 'fail', next: 'pass' });
  const { exitCode } = await assay([...RUN, '--fail-fast', '--runs', '3'], { cwd });
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect(exitCode).toBe(1);
  expect(results.map(({ id, run, status }) => `${id} ${String(run)} ${status}`)).toEqual([
    'bad 1 failed',
    'next 1 skipped',
    'bad 2 skipped',
    'next 2 skipped',
    'bad 3 skipped',
    'next 3 skipped',
  ]);
  expect(summary).toMatchObject({ total: 2, passed: 0, failed: 1, skipped: 1, total_runs: 1 });

  // With a rate of 0, failures are only reported.
  const { exitCode: tolerant } = await assay([...RUN, '--fail-fast', '--runs', '3', '--min-pass-rate', '0'], {
    cwd,
  });
  expect(tolerant).toBe(0);
});

test('--run, -run, -run= (RE2 on the id) and --tag choose cases', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [
      { id: 'login-ok', input: 'pass', tags: ['smoke', 'auth'] },
      { id: 'login-bad', input: 'pass', tags: ['auth'] },
      { id: 'Logout', input: 'pass', tags: ['smoke'] },
      { id: 'other', input: 'pass' },
    ],
  });
  const ran = async (...args: string[]) => {
    const { exitCode } = await assay([...RUN, ...args], { cwd });
    const { results, start } = readLog(join(cwd, 'log.jsonl'));
    return [exitCode, start.total_cases, ...results.map((result) => result.id)];
  };
  expect(await ran('--run', '^login')).toEqual([0, 2, 'login-ok', 'login-bad']);
  expect(await ran('-run', '(?i)^log')).toEqual([0, 3, 'login-ok', 'login-bad', 'Logout']);
  expect(await ran('-run=ok$')).toEqual([0, 1, 'login-ok']);
  expect(await ran('--tag', 'smoke')).toEqual([0, 2, 'login-ok', 'Logout']);
  expect(await ran('--tag', 'smoke', '--tag', 'auth', '--run', 'login')).toEqual([
    0,
    2,
    'login-ok',
    'login-bad',
  ]);
  expect(await ran('--tag', 'smoke,auth')).toEqual([0, 3, 'login-ok', 'login-bad', 'Logout']);
  const wrong = await assay([...RUN, '--run', '(x'], { cwd });
  expect(wrong).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^--run: "\(x" is not a valid pattern/),
  });
});

test('--dry-run shows the plan and executes nothing', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [
      { id: 'one', input: 'pass', tags: ['a', 'b'], timeout: '90s' },
      { id: 'two', input: 'pass', description: 'the second', skip: true },
      { id: 'not', input: 'pass' },
    ],
  });
  const args = [
    'test',
    '-i',
    'cases.jsonl',
    '-n',
    './agent.mjs',
    '--dry-run',
    '--run',
    'one|two',
    '--runs',
    '2',
  ];
  const text = await assay(args, { cwd });
  expect(text).toEqual({
    exitCode: 0,
    signal: null,
    stderr: '',
    stdout:
      'Plan: 2 cases × 2 runs = 4 attempts, 1 at a time. Nothing is executed.\n\n' +
      '  one  (agent agent.mjs; timeout 1m30s; tags a, b)\n' +
      '  two  (agent agent.mjs; timeout 5m; skipped)  the second\n',
  });
  const plan = JSON.parse((await assay([...args, '--json'], { cwd })).stdout);
  expect(plan).toEqual({
    total_cases: 2,
    runs_per_case: 2,
    total_runs: 4,
    cases: [
      {
        id: 'one',
        test_id: 'cases.jsonl',
        kind: 'agent-eval',
        agent_id: 'agent.mjs',
        runs: 2,
        timeout: '1m30s',
        tags: ['a', 'b'],
      },
      {
        id: 'two',
        test_id: 'cases.jsonl',
        kind: 'agent-eval',
        agent_id: 'agent.mjs',
        runs: 2,
        timeout: '5m',
        description: 'the second',
        skip: true,
      },
    ],
  });
  expect(existsSync(join(cwd, 'calls.txt'))).toBe(false);
  await assay([...args, '-o', 'chosen.jsonl'], { cwd });
  expect(readFileSync(join(cwd, 'chosen.jsonl'), 'utf8')).toMatch(/^\{"id":"one".*\}\n\{"id":"two".*\}\n$/);
});
