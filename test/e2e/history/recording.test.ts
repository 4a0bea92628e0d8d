// Every run goes into the history by itself, and nothing that is wrong with the history harms a run.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { asReader, assay, folder, readLog, start } from '../support/assay.ts';
import { until } from '../../until.ts';

const CASES = ['a', 'b', 'c', 'd'].map((id) => ({ id, input: id, expected: 'yes' }));
const QUICK = `export default () => 'yes';`;
/** Together long enough for a run to be recorded while it goes on. */
const slow = (ms: number): string =>
  `export default () => new Promise((done) => setTimeout(done, ${String(ms)}, 'yes'));`;

function application(agent = QUICK, files: Record<string, unknown> = {}): string {
  return folder({ 'app.yao': '{}', 'agent.mjs': agent, 'cases.jsonl': CASES, ...files });
}

const TEST = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

type Listed = { run_id: string; finished_at: string | null; exit_code: number | null };

async function historyIn(cwd: string, ...flags: string[]): Promise<Listed[]> {
  const { stdout } = await assay(['history', '--json', ...flags], { cwd });
  return JSON.parse(stdout);
}

/** How the cases of the newest run ended, by what the history says. */
async function casesIn(cwd: string, ...flags: string[]): Promise<unknown[]> {
  const { cases } = JSON.parse((await assay(['show', 'latest', '--json', ...flags], { cwd })).stdout);
  return cases.map((one: Record<string, unknown>) => [one['case_id'], one['status'], one['runs']]);
}

const ALL = CASES.map(({ id }) => [id, 'passed', 1]);

test('a short run is in the history, though its log is gone', async () => {
  const cwd = application();
  expect(await assay(TEST, { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
  const { start, summary } = readLog(join(cwd, 'log.jsonl'));
  rmSync(join(cwd, 'log.jsonl'));
  const runs = await historyIn(cwd);
  expect(runs.map(({ run_id, finished_at }) => [run_id, finished_at])).toEqual([
    [start.run_id, summary?.timestamp],
  ]);
  expect(await casesIn(cwd)).toEqual(ALL);
});

test('the run after fifty short ones imports them all, so that the next is quick again', async () => {
  const cwd = application();
  await assay(TEST, { cwd });
  const waiting = join(cwd, '.assay', 'waiting');
  const [first = ''] = readdirSync(waiting);
  const text = readFileSync(join(waiting, first), 'utf8');
  const id = first.replace('.jsonl', '');
  for (let run = 1; run < 50; run += 1) {
    const other = `${id.slice(0, -2)}${String(run).padStart(2, '0')}`;
    if (other !== id) writeFileSync(join(waiting, `${other}.jsonl`), text.replaceAll(id, other));
  }
  const queued = readdirSync(waiting).length;
  writeFileSync(join(waiting, `${id.slice(0, -2)}zz.jsonl`), text.replaceAll(id, `${id.slice(0, -2)}zz`));

  expect(await assay(TEST, { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readdirSync(waiting)).toEqual([]);
  expect(await historyIn(cwd, '--limit', '100')).toHaveLength(queued + 2);
});

test('a run is in the history while it goes on', async () => {
  const cwd = application(slow(900));
  const { finished } = start(TEST, { cwd });
  await until(() => existsSync(join(cwd, '.assay/history.db')));
  let early: Listed[] = [];
  while (early.length === 0) early = await historyIn(cwd);
  expect(early).toMatchObject([{ finished_at: null, exit_code: null }]);
  expect(await finished).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await historyIn(cwd)).toMatchObject([{ run_id: early[0]?.run_id, exit_code: 0 }]);
  expect(await casesIn(cwd)).toEqual(ALL);
});

test('a run that ends while its recorder starts is in the history, once and whole', async () => {
  const cwd = application(slow(300));
  expect(await assay(TEST, { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await historyIn(cwd)).toMatchObject([{ exit_code: 0 }]);
  expect(await casesIn(cwd)).toEqual(ALL);
  expect(await historyIn(cwd)).toHaveLength(1);
});

test('--store is relative to where it is typed, store in the configuration to the application', async () => {
  const cwd = application(QUICK, { 'sub/empty.txt': '', 'assay.config.json': { store: 'kept/all.db' } });
  const sub = join(cwd, 'sub');
  const args = ['test', '-i', '../cases.jsonl', '-n', '../agent.mjs', '-o', 'log.jsonl'];
  await assay([...args, '--store', 'own.db'], { cwd: sub });
  expect([existsSync(join(sub, 'own.db')), existsSync(join(cwd, 'kept/all.db'))]).toEqual([true, false]);
  await assay(args, { cwd: sub });
  expect(existsSync(join(cwd, 'kept/all.db'))).toBe(true);
  expect(await historyIn(sub, '--store', 'own.db')).toHaveLength(1);
  expect(await historyIn(sub)).toHaveLength(1);
});

test('messages, dry runs and runs without history are not recorded', async () => {
  const cwd = application(QUICK, { 'off/assay.config.json': { history: false }, 'off/cases.jsonl': CASES });
  await assay([...TEST, '--no-history'], { cwd });
  await assay(TEST, { cwd, env: { ASSAY_HISTORY: '0' } });
  await assay([...TEST, '--dry-run'], { cwd });
  await assay(['test', '-i', 'hello', '-n', './agent.mjs'], { cwd });
  expect(await historyIn(cwd)).toEqual([]);
  await assay(['test', '-i', 'cases.jsonl', '-n', '../agent.mjs', '-o', 'log.jsonl'], {
    cwd: join(cwd, 'off'),
  });
  expect(await historyIn(join(cwd, 'off'))).toEqual([]);
  await assay(['test', '-i', 'hello', '-n', './agent.mjs', '--store', 'asked.db'], { cwd });
  expect(await historyIn(cwd, '--store', 'asked.db')).toHaveLength(1);
});

test('a locked history stops no run; importing its log later completes it exactly once', async () => {
  const cwd = application(slow(100));
  await assay([...TEST, '--store', 'history.db'], { cwd });
  const other = new DatabaseSync(join(cwd, 'history.db'));
  onTestFinished(() => other.close());
  other.exec('begin exclusive');
  const { exitCode, stderr } = await assay([...TEST, '--store', 'history.db'], { cwd });
  expect([exitCode, stderr]).toEqual([
    3,
    expect.stringMatching(
      /^the history could not be written: \S+history\.db is locked by another program: database is locked; assay import log\.jsonl brings this run in later\n$/,
    ),
  ]);
  expect(readLog(join(cwd, 'log.jsonl'))).toMatchObject({ summary: { exit_code: 0, passed: 4 } });
  other.exec('rollback');
  for (const _again of [1, 2]) await assay(['import', 'log.jsonl', '--store', 'history.db'], { cwd });
  expect(await historyIn(cwd, '--store', 'history.db')).toMatchObject([{ exit_code: 0 }, { exit_code: 0 }]);
  expect(await casesIn(cwd, '--store', 'history.db')).toEqual(ALL);
});

test('a file that is not a database is exit 3 if it was asked for, else a warning', async () => {
  const cwd = application(slow(600), { '.assay/history.db': 'garbage '.repeat(1000), 'bad.db': 'garbage' });
  const why = /^the history could not be written: \S+\.db is damaged or not a database of Assay: /;
  const asked = await assay([...TEST, '--store', 'bad.db'], { cwd });
  expect([asked.exitCode, asked.stderr]).toEqual([3, expect.stringMatching(why)]);
  const implicit = await assay(TEST, { cwd });
  expect([implicit.exitCode, implicit.stderr]).toEqual([0, expect.stringMatching(why)]);
  expect(readFileSync(join(cwd, 'bad.db'), 'utf8')).toBe('garbage');
});

test('an application that cannot be written is a warning', async () => {
  const cwd = application();
  const { exitCode, stderr } = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], {
    cwd,
    ...asReader(cwd),
  });
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(
      /\nthe history could not be written: EACCES: permission denied, .*; assay import \S+/,
    ),
  ]);
});

test('a server that is not there is exit 3, and its password is nowhere', async () => {
  const cwd = application(`export default () => 'yes, not hunter2hunter2';`);
  const store = 'postgres://me:hunter2hunter2@127.0.0.1:1/assay';
  const said = await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '-v'], {
    cwd,
    env: { ASSAY_STORE: store },
  });
  // The answers are wrong: a proven failure stays one.
  expect([said.exitCode, said.stderr]).toEqual([
    1,
    expect.stringMatching(
      /the history could not be written: postgres:\/\/me:\*\*\*@127\.0\.0\.1:1\/assay cannot be reached: .*; assay import log\.jsonl/,
    ),
  ]);
  const log = readFileSync(join(cwd, 'log.jsonl'), 'utf8');
  expect(`${log}${said.stdout}${said.stderr}`).not.toContain('hunter2');
  expect(readLog(join(cwd, 'log.jsonl')).results).toHaveLength(4);
  const quick = application();
  expect(await assay([...TEST, '--store', store], { cwd: quick })).toMatchObject({ exitCode: 3 });
  await assay(['import', 'log.jsonl'], { cwd: quick });
  expect(await casesIn(quick)).toEqual(ALL);
});

test('a run that is taken up again goes on in the history', async () => {
  const cwd = application();
  await assay([...TEST, '--no-history'], { cwd });
  const log = join(cwd, 'log.jsonl');
  const lines = readFileSync(log, 'utf8').split('\n');
  writeFileSync(log, `${lines.slice(0, 3).join('\n')}\n`);
  await assay(['import', 'log.jsonl'], { cwd });
  expect((await historyIn(cwd)).map(({ exit_code }) => exit_code)).toEqual([null]);
  expect(await assay(['test', '--resume', 'log.jsonl'], { cwd })).toMatchObject({ exitCode: 0 });
  expect((await historyIn(cwd)).map(({ exit_code }) => exit_code)).toEqual([0]);
  expect(await casesIn(cwd)).toEqual(ALL);
  // Also into a history that has nothing of its first part.
  writeFileSync(log, `${lines.slice(0, 3).join('\n')}\n`);
  const args = ['test', '--resume', 'log.jsonl', '--store', 'other.db'];
  expect(await assay(args, { cwd })).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await casesIn(cwd, '--store', 'other.db')).toEqual(ALL);
});

test('a run knows its commit, its machine and the service that ran it', async () => {
  const cwd = application();
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=me', '-c', 'user.email=me@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'all');
  const commit = git('rev-parse', 'HEAD');
  const originOf = async (env: Record<string, string> = {}): Promise<unknown> => {
    await assay(TEST, { cwd, env });
    const { events } = readLog(join(cwd, 'log.jsonl'));
    const [first] = events;
    const origin = first?.type === 'start' ? first.origin : undefined;
    const late = events.find((event) => event.type === 'provenance');
    return { ...origin, git: late?.git ?? origin?.git };
  };
  const machine = { node: process.version, os: expect.any(String), machine: expect.any(String) };
  expect(await originOf()).toEqual({ git: { commit, branch: 'main', dirty: false }, ...machine });
  git('gc', '-q');
  writeFileSync(join(cwd, 'app.yao'), '{ }');
  expect(await originOf({ CI: 'true', GITHUB_ACTIONS: 'true' })).toEqual({
    git: { commit, branch: 'main', dirty: true },
    ...machine,
    ci: 'github',
  });
  const { stdout } = await assay(['show', 'latest'], { cwd });
  expect(stdout).toContain(`  git: ${commit} with changes\n`);
  expect(stdout).toContain('  ci: github\n');
});
