// How a run goes: repeats, limits, selection, stopping early, settings and where they come from.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog, write } from '../support/assay.ts';

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
    '  Pass rate: 55.6% (mean of 3 cases, 9 runs)\n  Stability: 1 stable, 2 unstable\n',
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
    'bad 2 skipped',
    'bad 3 skipped',
    'next 1 skipped',
    'next 2 skipped',
    'next 3 skipped',
  ]);
  expect(summary).toMatchObject({ total: 2, passed: 0, failed: 1, skipped: 1, total_runs: 1 });

  // With a rate to reach, one failure is not the end.
  const { exitCode: tolerant } = await assay([...RUN, '--fail-fast', '--runs', '3', '--min-pass-rate', '0'], {
    cwd,
  });
  expect(tolerant).toBe(1);
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

test('settings: flags > ASSAY_ environment > assay.config > defaults', async () => {
  const environment = async (cwd: string, args: string[] = [], env: Record<string, string> = {}) => {
    await assay([...RUN, ...args], { cwd, env });
    const { start } = readLog(join(cwd, 'log.jsonl'));
    return {
      ...start.environment,
      runs: start.runs_per_case,
      parallel: start.flags['parallel'],
      timeout: start.flags['timeout_ms'],
    };
  };
  const cwd = runFolder({ one: 'pass' });
  expect(await environment(cwd)).toEqual({
    user_id: 'test-user',
    team_id: 'test-team',
    locale: 'en-us',
    runs: 1,
    parallel: undefined,
    timeout: undefined,
  });

  write(
    join(cwd, 'assay.config.json'),
    '{\n  // comments are fine\n  "user": "config", "team": "config", "runs": 2, "parallel": 3, "timeout": "10s" }',
  );
  expect(await environment(cwd)).toEqual({
    user_id: 'config',
    team_id: 'config',
    locale: 'en-us',
    runs: 2,
    parallel: 3,
    timeout: 10_000,
  });
  const env = { ASSAY_USER: 'env', ASSAY_RUNS: '3', ASSAY_TEAM: '' };
  expect(await environment(cwd, [], env)).toMatchObject({ user_id: 'env', team_id: 'config', runs: 3 });
  expect(await environment(cwd, ['-u', 'flag', '--runs', '1'], env)).toMatchObject({
    user_id: 'flag',
    team_id: 'config',
    runs: 1,
  });
});

test.each([
  ['assay.config.yml', 'user: someone # comment\nruns: 2\n'],
  ['assay.config.ts', 'const runs: number = 2;\nexport default { user: "some" + "one", runs } as const;\n'],
  ['assay.config.js', 'export default { user: "someone", runs: 2 };\n'],
])('settings of %s', async (name, text) => {
  const cwd = runFolder({ one: 'pass' }, { [name]: text });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  const { start } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, stderr, user: start.environment.user_id, runs: start.runs_per_case }).toEqual({
    exitCode: 0,
    stderr: '',
    user: 'someone',
    runs: 2,
  });
});

test('wrong settings are told all at once, with where they come from', async () => {
  const cwd = runFolder({ one: 'pass' });
  const args = ['test', '-i', 'none.jsonl', '--runs', '0', '--min-pass-rate', '101'];
  const { exitCode, stderr } = await assay(args, { cwd, env: { ASSAY_PARALLEL: 'many' } });
  expect(exitCode).toBe(2);
  expect(stderr.trimEnd().split('\n').sort()).toEqual([
    '  hint: there is cases.jsonl',
    '--min-pass-rate: must be a percentage from 0 to 100, not "101"',
    '--runs: must be a whole number of at least 1, not "0"',
    'ASSAY_PARALLEL: must be a whole number of at least 1, not "many"',
    'input file "none.jsonl" does not exist',
  ]);

  write(join(cwd, 'assay.config.json'), '{ "timeout": "soon", "team": 5, "fail_fast": "perhaps" }');
  const wrong = await assay(RUN, { cwd });
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr.trimEnd().split('\n').sort()).toEqual([
    '"fail_fast" in assay.config: must be true or false, not "perhaps"',
    '"team" in assay.config: must be text, not 5',
    expect.stringMatching(/^"timeout" in assay\.config: invalid duration "soon"/),
  ]);
  write(join(cwd, 'assay.config.json'), '{\n  "parralel": 2\n}');
  const unknown = await assay(RUN, { cwd });
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: 'assay.config.json:2: unknown setting "parralel"\n  hint: did you mean "parallel"?\n',
  });
  expect(existsSync(join(cwd, 'calls.txt'))).toBe(false);
});

test('a configuration that throws does not take the program with it', async () => {
  const cwd = runFolder({ one: 'pass' }, { 'assay.config.ts': 'throw new Error("not today");\n' });
  const { exitCode, stderr } = await assay(RUN, { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('not today') });
});
