// Baselines: names for runs, and the runs of a branch.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';

async function application(): Promise<{ cwd: string; run(): Promise<string> }> {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': 'export default () => "yes";',
    'cases.jsonl': [{ id: 'a', input: 'hi', expected: 'yes' }],
  });
  const run = async (): Promise<string> => {
    const log = join(cwd, 'log.jsonl');
    await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', log], { cwd });
    return readLog(log).start.run_id;
  };
  return { cwd, run };
}

test('a name stands for its run and earlier runs of the same version, until it is removed', async () => {
  const { cwd, run } = await application();
  const shown = async (name: string): Promise<string[]> => {
    const { stdout } = await assay(['baseline', 'show', name, '--json'], { cwd });
    return JSON.parse(stdout).runs.map((one: { run_id: string }) => one.run_id);
  };
  expect(await assay(['baseline'], { cwd })).toMatchObject({
    exitCode: 0,
    stdout: 'There are no baselines yet; assay baseline set <run> [name] makes one.\n',
  });
  const old = await run();
  writeFileSync(join(cwd, 'agent.mjs'), 'export default () => "yes"; // another version');
  const [second, third, fourth] = [await run(), await run(), await run()];
  expect(await assay(['baseline', 'set', third, 'main'], { cwd })).toMatchObject({
    exitCode: 0,
    stdout: `The baseline main is run ${third}.\n`,
  });
  await assay(['baseline', 'set', old], { cwd });
  expect(await shown('main')).toEqual([third, second]);
  expect(await shown('default')).toEqual([old]);
  expect(await shown('latest')).toEqual([fourth]);
  const { stdout } = await assay(['baseline'], { cwd });
  expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'WHEN')).toBe(
    `default  ${old}  WHEN\nmain     ${third}  WHEN\n`,
  );

  await assay(['prune', '--keep', '1'], { cwd });
  expect([await shown('main'), await shown('default')]).toEqual([[third], [old]]);
  expect(await assay(['baseline', 'remove', 'main'], { cwd })).toMatchObject({ exitCode: 0 });
  const gone = await assay(['baseline', 'show', 'main'], { cwd });
  expect([gone.exitCode, gone.stderr]).toEqual([2, expect.stringContaining('there is no baseline "main"')]);
  for (const wrong of ['latest', 'branch:x', 'a.jsonl', '', 'deadbeef'])
    expect((await assay(['baseline', 'set', 'latest', wrong], { cwd })).exitCode).toBe(2);
  expect((await assay(['baseline', 'set', 'nothing', 'x'], { cwd })).exitCode).toBe(2);
  expect((await assay(['baseline', 'remove', 'main'], { cwd })).exitCode).toBe(2);
});

test('runs that are not complete are in no baseline, unless they are named', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': 'export default () => ({ output: "yes", cost_usd: 0.01 });',
    'cases.jsonl': [
      { id: 'a', input: 'hi', expected: 'yes', tags: ['smoke'] },
      { id: 'b', input: 'hi', expected: 'yes' },
      { id: 'c', input: 'hi', expected: 'yes' },
      { id: 'd', input: 'hi', expected: 'no' },
      { id: 'left-out', input: 'hi', skip: true },
    ],
  });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'a');
  const run = async (...flags: string[]): Promise<string> => {
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', ...flags];
    await assay(args, { cwd });
    return readLog(join(cwd, 'log.jsonl')).start.run_id;
  };
  const shown = async (name: string): Promise<unknown> => {
    const { exitCode, stdout, stderr } = await assay(['baseline', 'show', name, '--json'], { cwd });
    if (exitCode !== 0) return stderr;
    return JSON.parse(stdout).runs.map((one: { run_id: string }) => one.run_id);
  };

  const cut = await run('--budget', '$0.01', '--parallel', '1');
  const selected = await run('--run', '^a$');
  expect(await shown('branch:main')).toMatch(/no run of the branch main in .* is complete/);
  const [smoke, smokeAgain] = [await run('--tag', 'smoke'), await run('--tag', 'smoke')];
  expect(await shown('branch:main')).toEqual([smokeAgain, smoke]);

  const first = await run();
  const withBudget = await run('--budget', '$5');
  await run('--fail-fast', '--order', 'slowest-first', '--parallel', '1', '--budget', '$0.02');
  await assay(['test', '--failed', 'log.jsonl'], { cwd });
  const last = await run();
  expect(await shown('branch:main')).toEqual([last, withBudget, first]);
  await assay(['baseline', 'set', last, 'whole'], { cwd });
  await assay(['baseline', 'set', cut, 'cut'], { cwd });
  await assay(['baseline', 'set', smokeAgain, 'smoke'], { cwd });
  expect([await shown('whole'), await shown('cut'), await shown('smoke'), await shown(selected)]).toEqual([
    [last, withBudget, first],
    [cut],
    [smokeAgain, smoke],
    [selected],
  ]);
});

test('a branch stands for its newest runs of one version', async () => {
  const { cwd, run } = await application();
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'a');
  const [first, second] = [await run(), await run()];
  git('checkout', '-q', '-b', 'feature');
  await run();
  const { stdout } = await assay(['baseline', 'show', 'branch:main'], { cwd });
  expect(stdout).toContain('branch:main: 2 runs of the same agent, judges and variables\n');
  expect([stdout.indexOf(second) > 0, stdout.indexOf(first) > stdout.indexOf(second)]).toEqual([true, true]);
  const none = await assay(['baseline', 'show', 'branch:release'], { cwd });
  expect([none.exitCode, none.stderr]).toEqual([
    2,
    expect.stringMatching(
      /there are no runs of the branch release[^]*run assay test there with the same --store/,
    ),
  ]);
});
