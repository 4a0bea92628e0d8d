import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GitOrigin } from '../model/origin.ts';
import type { Sink } from '../model/sink.ts';
import { batchOf, resultEvent, startEvent } from '../../test/fixtures/logs/agent-log.ts';
import { lookUpGit } from './git.ts';
import { originOf, withLateOrigin } from './origin.ts';

function repository(): { top: string; git: (...args: string[]) => string } {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'assay-git-')));
  const who = ['-c', 'user.name=me', '-c', 'user.email=me@example.com'];
  const git = (...args: string[]): string =>
    execFileSync('git', [...who, ...args], { cwd: top, encoding: 'utf8', stdio: 'pipe' }).trim();
  git('init', '-q');
  writeFileSync(join(top, 'a.txt'), 'a');
  git('add', '.');
  git('commit', '-qm', 'a');
  return { top, git };
}

test('finds the commit of a branch, of packed branches, of none, and of a worktree', async () => {
  const { top, git } = repository();
  const commit = git('rev-parse', 'HEAD');
  const found = (folder = top): string | undefined => lookUpGit(folder)?.commit;
  expect(found()).toBe(commit);
  git('pack-refs', '--all');
  expect(found()).toBe(commit);
  git('worktree', 'add', '-q', 'tree', '-b', 'other');
  expect(found(join(top, 'tree'))).toBe(commit);
  git('checkout', '-q', '--detach');
  expect(found()).toBe(commit);
});

test('names the branch that is checked out, or that the CI service names', async () => {
  const { top, git } = repository();
  git('checkout', '-q', '-b', 'feature/a');
  const branch = async (env: Record<string, string> = {}): Promise<string | undefined> =>
    (await originOf(top, env)).known.git?.branch;
  expect(await branch({ GITHUB_REF: 'refs/heads/main' })).toBe('feature/a');
  git('checkout', '-q', '--detach');
  const named = [
    {},
    { GITHUB_REF: 'refs/heads/main' },
    { GITHUB_REF: 'refs/tags/v1' },
    { GITHUB_REF: 'refs/pull/1/merge', GITHUB_HEAD_REF: 'fix', GITHUB_BASE_REF: 'main' },
    { GITHUB_REF: 'refs/pull/1/merge', GITHUB_HEAD_REF: 'main', GITHUB_BASE_REF: 'main' },
    { CI_COMMIT_BRANCH: 'main' },
  ];
  expect(await Promise.all(named.map((env) => branch(env as Record<string, string>)))).toEqual([
    undefined,
    'main',
    undefined,
    'fix',
    undefined,
    'main',
  ]);
});

test('counts as changed what git knows and not what lies beside it', async () => {
  const { top } = repository();
  writeFileSync(join(top, 'log.jsonl'), '');
  expect(await lookUpGit(top)?.dirty).toBe(false);
  writeFileSync(join(top, 'a.txt'), 'b');
  expect(await lookUpGit(top)?.dirty).toBe(true);
});

test('names the service, and leaves out what there is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-origin-'));
  const ciOf = async (env: Record<string, string | undefined>): Promise<string | undefined> =>
    (await originOf(folder, env)).known.ci;
  expect(await originOf(folder, {})).toEqual({
    known: { node: process.version, os: expect.any(String), machine: expect.any(String) },
  });
  expect(
    await Promise.all([{ GITLAB_CI: 'true' }, { CI: '1' }, { CI: 'false' }, { TRAVIS: '' }].map(ciOf)),
  ).toEqual(['gitlab', 'ci', undefined, undefined]);
});

test('a commit that is late comes before the events that come then, once', async () => {
  const lines: string[][] = [];
  const sink: Sink = { write: (batch) => void lines.push(batch.map(({ event }) => event.type)) };
  let tell = (_git: GitOrigin): void => undefined;
  const late = new Promise<GitOrigin>((done) => (tell = done));
  const [all] = withLateOrigin([sink], { known: {}, late });
  all?.write(batchOf([startEvent()]));
  tell({ commit: 'c0ffee', dirty: true });
  await late;
  all?.write(batchOf([resultEvent('A')]));
  all?.write(batchOf([resultEvent('B')]));
  expect(lines).toEqual([['start'], ['provenance', 'result'], ['result']]);
});
