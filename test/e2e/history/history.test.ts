// The history: logs are brought in once, runs are listed, shown, compared and forgotten.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';

const AGENT = `
import { existsSync } from 'node:fs';
export default (messages) => (messages[0].content === 'moody' && existsSync('bad.txt') ? 'no' : 'yes');
`;

/** An application with two runs: in the second one a case regressed, one is new and one is gone. */
async function twoRuns(): Promise<{ cwd: string; ids: string[] }> {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': AGENT,
    'cases.jsonl': ['steady', 'moody', 'gone'].map((id) => ({ id, input: id, expected: 'yes' })),
  });
  const run = (log: string): ReturnType<typeof assay> =>
    assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', log, '--no-history'], { cwd });
  await run('one.jsonl');
  writeFileSync(join(cwd, 'bad.txt'), '');
  writeFileSync(
    join(cwd, 'cases.jsonl'),
    ['steady', 'moody', 'new']
      .map((id) => `${JSON.stringify({ id, input: id, expected: 'yes' })}\n`)
      .join(''),
  );
  await run('two.jsonl');
  return { cwd, ids: ['one.jsonl', 'two.jsonl'].map((log) => readLog(join(cwd, log)).start.run_id) };
}

test('logs are brought in once, listed and shown', async () => {
  const { cwd, ids } = await twoRuns();
  const [one = '', two = ''] = ids;
  expect(await assay(['history'], { cwd })).toMatchObject({
    exitCode: 0,
    stdout: 'There are no runs yet.\n',
  });
  const imported = {
    exitCode: 0,
    stdout: `one.jsonl: run ${one}, 3 results\ntwo.jsonl: run ${two}, 3 results\n`,
  };
  expect(await assay(['import', 'one.jsonl', 'two.jsonl'], { cwd })).toMatchObject(imported);
  expect(await assay(['import', 'one.jsonl', 'two.jsonl'], { cwd })).toMatchObject(imported);
  const { stdout } = await assay(['history'], { cwd });
  expect(
    stdout
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'WHEN')
      .replace(/\d[\d.]*m?s(?= +exit)\b */g, 'TIME  ')
      .replace(/\d[\d.]*m?s$/gm, 'TIME')
      .split('\n'),
  ).toEqual([
    `${two}  WHEN  agent.mjs  2 passed, 1 failed, 0 skipped  66.7%  TIME  exit 1`,
    `${one}  WHEN  agent.mjs  3 passed, 0 failed, 0 skipped  100%   TIME`,
    '',
  ]);
  const runs = JSON.parse(
    (await assay(['history', 'cases.jsonl', '--limit', '1', '--json'], { cwd })).stdout,
  );
  expect(runs.map(({ run_id, exit_code }: Record<string, unknown>) => [run_id, exit_code])).toEqual([
    [two, 1],
  ]);
  const { run, cases } = JSON.parse((await assay(['show', 'latest', '--json'], { cwd })).stdout);
  expect([
    run.run_id,
    cases.map((kept: Record<string, unknown>) => [kept['case_id'], kept['status']]),
  ]).toEqual([
    two,
    [
      ['steady', 'passed'],
      ['moody', 'failed'],
      ['new', 'passed'],
    ],
  ]);
  expect(await assay(['show', 'nothing'], { cwd })).toMatchObject({ exitCode: 2 });
  expect(existsSync(join(cwd, '.assay/history.db'))).toBe(true);
});

test('regressions come first and exit with 1; logs are compared without a history', async () => {
  const { cwd, ids } = await twoRuns();
  const [one = '', two = ''] = ids;
  const { exitCode, stdout } = await assay(['compare', 'one.jsonl', 'two.jsonl', '-o', 'c.md'], { cwd });
  expect(exitCode).toBe(1);
  expect(stdout.replace(/\d+m?s/g, 'TIME').split('\n')).toEqual([
    `${one} → ${two}`,
    '  regressed   cases.jsonl › moody  100% in TIME → 0% in TIME',
    '  new         cases.jsonl › new  not there → 100% in TIME',
    '  removed     cases.jsonl › gone  100% in TIME → not there',
    '1 regressed, 0 improved, 1 new, 1 removed, 0 unmeasured, 1 unchanged',
    '',
  ]);
  expect(readFileSync(join(cwd, 'c.md'), 'utf8')).toContain('| regressed | cases.jsonl › moody | 100%');
  expect(existsSync(join(cwd, '.assay/history.db'))).toBe(false);

  await assay(['import', 'one.jsonl', 'two.jsonl'], { cwd });
  const latest = await assay(['compare', '--latest', '--json'], { cwd });
  expect([latest.exitCode, JSON.parse(latest.stdout).counts]).toEqual([
    1,
    { improved: 0, new: 1, regressed: 1, removed: 1, unchanged: 1, unmeasured: 0 },
  ]);
  expect((await assay(['compare', two, one], { cwd })).exitCode).toBe(0);
  expect(await assay(['compare', one], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^name two runs\n/),
  });
  expect(await assay(['compare', 'one.jsonl', two], { cwd })).toMatchObject({ exitCode: 2 });
});

test('prune deletes old runs; a file that is not a run log is refused before anything is written', async () => {
  const { cwd } = await twoRuns();
  await assay(['import', 'one.jsonl', 'two.jsonl'], { cwd });
  expect(await assay(['prune'], { cwd })).toMatchObject({ exitCode: 2 });
  expect(await assay(['prune', '--keep', '1'], { cwd })).toMatchObject({
    exitCode: 0,
    stdout: 'Forgot 1 run with 3 results.\n',
  });
  expect(JSON.parse((await assay(['history', '--json'], { cwd })).stdout)).toHaveLength(1);
  expect(await assay(['import', 'two.jsonl', 'cases.jsonl', '--store', 'other.db'], { cwd })).toMatchObject({
    exitCode: 2,
  });
  expect(existsSync(join(cwd, 'other.db'))).toBe(false);
  expect(await assay(['history', '--store', 'other.db'], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: 'there is no history other.db\n  hint: check the path; assay import <log> makes a new one\n',
  });
  expect(existsSync(join(cwd, 'other.db'))).toBe(false);
  expect(await assay(['import', 'two.jsonl', '--store', 'other.db'], { cwd })).toMatchObject({ exitCode: 0 });
});
