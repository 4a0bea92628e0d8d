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

test('says the verdict first; logs are compared without a history, and with runs of it', async () => {
  const { cwd, ids } = await twoRuns();
  const [one = '', two = ''] = ids;
  const { exitCode, stdout } = await assay(['compare', 'one.jsonl', 'two.jsonl', '-o', 'c.md'], { cwd });
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'before: one.jsonl → after: two.jsonl, 2 of 4 cases compared, 1 → 1 runs of each',
    'Undecided. The pass rate went from 100% to 50% (−50 points), but anything from −100 to +100 fits (95% interval): a drop of more than 5 points (--margin) is not ruled out. 12 runs of every case with each version would decide, 4 times in 5; the runs so far count.',
    '  suspect  cases.jsonl › moody  1/1 → 0/1        chance spreads 1 pass in 2 runs like this 50 of 100 times',
    '  new      cases.jsonl › new    not there → 1/1',
    '  removed  cases.jsonl › gone   1/1 → not there',
    'A suspect passed more often before, but that may be chance. To find out, run suspects again: assay test --against … --confirm',
    'Not compared: 1 is new, 1 was removed.',
    'Undecided does not fail; --fail-on undecided makes it exit 1.',
    '',
  ]);
  expect(readFileSync(join(cwd, 'c.md'), 'utf8')).toMatch(
    /^# Comparison\n\n\*\*Undecided\. The pass rate went/,
  );
  expect(existsSync(join(cwd, '.assay/history.db'))).toBe(false);

  const failing = async (...flags: string[]): Promise<number | null> =>
    (await assay(['compare', 'one.jsonl', 'two.jsonl', ...flags], { cwd })).exitCode;
  expect([
    await failing('--fail-on', 'any-drop'),
    await failing('--fail-on', 'undecided'),
    await failing('--margin', '101'),
    await failing('--fail-on', 'anything'),
    await failing('--alpha', '2'),
    await failing('-o', 'c.txt'),
  ]).toEqual([1, 1, 2, 2, 2, 2]);

  await assay(['import', 'one.jsonl', 'two.jsonl'], { cwd });
  const latest = await assay(['compare', '--latest', '--json'], { cwd });
  expect([latest.exitCode, JSON.parse(latest.stdout).counts]).toEqual([
    0,
    { changed: 0, improved: 0, new: 1, regressed: 1, removed: 1, unchanged: 1, unmeasured: 0 },
  ]);
  expect((await assay(['compare', two, one, '--fail-on', 'any-drop'], { cwd })).exitCode).toBe(0);
  expect(await assay(['compare', one], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^name two runs\n/),
  });
  const mixed = await assay(['compare', 'one.jsonl', two], { cwd });
  expect([mixed.exitCode, mixed.stdout.split('\n')[1]]).toEqual([0, stdout.split('\n')[1]]);
  expect(await assay(['compare', 'nothing.jsonl', two], { cwd })).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^there is no log nothing\.jsonl\n/),
  });
});

test('a comparison is written to several files, after the verdict; one that cannot be is told', async () => {
  const { cwd } = await twoRuns();
  const args = ['compare', 'one.jsonl', 'two.jsonl'];
  const files = ['-o', 'a.md', '-o', 'new/b.html', '-o', 'c.json'];
  expect((await assay([...args, ...files], { cwd })).exitCode).toBe(0);
  expect(readFileSync(join(cwd, 'a.md'), 'utf8')).toMatch(/^# Comparison/);
  expect(readFileSync(join(cwd, 'new/b.html'), 'utf8')).toMatch(/^<!doctype html>/i);
  expect(JSON.parse(readFileSync(join(cwd, 'c.json'), 'utf8'))).toMatchObject({ verdict: 'undecided' });

  const blocked = await assay([...args, '-o', 'a.md/b.md', '-o', 'd.md'], { cwd });
  expect([blocked.exitCode, blocked.stdout.split('\n')[1], blocked.stderr]).toEqual([
    3,
    expect.stringMatching(/^Undecided\. /),
    expect.stringMatching(/^cannot write .*a\.md\/b\.md: /),
  ]);
  expect(existsSync(join(cwd, 'd.md'))).toBe(true);
});

test('what is misspelled is named, with what is meant', async () => {
  const { cwd } = await twoRuns();
  await assay(['import', 'one.jsonl', 'two.jsonl'], { cwd });
  await assay(['baseline', 'set', 'latest', 'release'], { cwd });
  const told = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await assay(args, { cwd });
    expect([exitCode, stdout]).toEqual([2, '']);
    return stderr;
  };
  const both = await told('compare', 'x.jsonl', 'y.jsonl');
  expect(both).toMatch(/there is no log x\.jsonl\n[^]*there is no log y\.jsonl\n/);
  expect(await told('compare', 'release', 'latst')).toBe(
    'there is no baseline "latst"\n  hint: did you mean "latest"?\n',
  );
  expect(await told('compare', 'relaese', 'latest')).toContain('did you mean "release"?');
  expect(await told('compare', 'tow.jsonl', 'latest')).toContain('did you mean "two.jsonl"?');
  expect(await told('compare', '--self', 'latest', '-o', 'self.md')).toMatch(/^-o: --self writes no file\n/);
  expect(await told('baseline', 'set', 'one.jsonl', 'x')).toContain(
    'assay import one.jsonl brings its run in',
  );
  const commands = 'The commands are list, set, show, remove\n';
  expect(await told('baseline', 'sett', 'latest')).toBe(
    `assay baseline has no command "sett"\n  hint: did you mean "set"? ${commands}`,
  );
  expect(await told('baseline', 'rm', 'main')).toContain('did you mean "remove"?');
  expect(await told('baseline', 'frobnicate')).toBe(
    `assay baseline has no command "frobnicate"\n  hint: ${commands}`,
  );
  expect(await told('baseline', 'list', 'main')).toMatch(/^unexpected "main"\n/);
  expect(await told('tapes', 'prun', 'x')).toContain('did you mean "prune"?');
  expect(await told('test', '--resume', 'tow.jsonl')).toContain('did you mean "two.jsonl"?');
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
