// Settings: flags, environment, assay.config and defaults; which of them wins and what is refused.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, folder, readLog, write } from '../support/assay.ts';

const AGENT = `
import { appendFileSync } from 'node:fs';
export default () => {
  appendFileSync('calls.txt', 'called\\n');
  return 'right';
};
`;

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function runFolder(inputs: Record<string, string>, more: Record<string, unknown> = {}): string {
  const cases = Object.entries(inputs).map(([id, input]) => ({ id, input, expected: 'right' }));
  return folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases, ...more });
}

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

test('all invalid settings are reported at once, with their sources', async () => {
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

test.each(['export const timeout = "1s";', 'export default () => ({ runs: 2 });'])(
  'a configuration without an object as its default export is refused: %s',
  async (source) => {
    const cwd = runFolder({ one: 'pass' }, { 'assay.config.ts': source });
    const { exitCode, stderr } = await assay(RUN, { cwd });
    expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 2, calls: [] });
    expect(stderr).toContain('assay.config.ts: ');
  },
);

test('--runs and --parallel have limits', async () => {
  const cwd = runFolder({ one: 'pass' });
  const { exitCode, stderr } = await assay([...RUN, '--runs', '1000001', '--parallel', '1001'], { cwd });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      '--runs: must be at most 1,000,000, not "1000001"\n--parallel: must be at most 1,000, not "1001"\n',
  });
});
