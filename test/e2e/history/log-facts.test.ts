// The facts in the log that later comparisons need: the content of cases, the judges and the branch.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';

function shasOf(results: readonly { case_sha?: string }[]): unknown[] {
  return [...new Set(results.map((one) => one.case_sha))];
}

test('a changed case or judge is another one, a changed description is not', async () => {
  const cases = (value: string, description: string): Record<string, unknown>[] => [
    { id: 'a', input: 'hi', description, assert: { type: 'contains', value } },
    { id: 'b', input: 'hi', assert: { type: 'script', script: 'scripts.judge.Check' } },
  ];
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': 'export default () => "hi";',
    'scripts/judge.ts': 'export function Check() { return { pass: true }; }',
    'cases.jsonl': cases('h', 'one'),
    'other.jsonl': cases('i', 'one'),
  });
  const git = (...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' });
  git('init', '-q', '-b', 'trunk');
  git('-c', 'user.name=me', '-c', 'user.email=me@example.com', 'commit', '-q', '--allow-empty', '-m', 'a');

  const run = async (input: string): Promise<{ judge: unknown; branch: unknown; shas: unknown[] }> => {
    const log = join(cwd, 'log.jsonl');
    await assay(['test', '-i', input, '-n', './agent.mjs', '-o', log, '--no-history', '--runs', '2'], {
      cwd,
    });
    const { start, results } = readLog(log);
    return {
      judge: start.judge_sha256,
      branch: start.origin?.git?.branch,
      shas: ['a', 'b'].map((id) => shasOf(results.filter((one) => one.id === id))),
    };
  };
  const first = await run('cases.jsonl');
  expect(first).toEqual({
    judge: expect.stringMatching(/^[0-9a-f]{64}$/),
    branch: 'trunk',
    shas: [[expect.stringMatching(/^[0-9a-f]{24}$/)], [expect.stringMatching(/^[0-9a-f]{24}$/)]],
  });
  const described = cases('h', 'two').map((one) => `${JSON.stringify(one)}\n`);
  writeFileSync(join(cwd, 'cases.jsonl'), described.join(''));
  expect(await run('cases.jsonl')).toEqual(first);
  const other = await run('other.jsonl');
  expect([other.shas[0], other.shas[1]]).toEqual([
    expect.not.arrayContaining(first.shas[0] as unknown[]),
    first.shas[1],
  ]);
  writeFileSync(join(cwd, 'scripts/judge.ts'), 'export function Check() { return { pass: 1 < 2 }; }');
  expect((await run('cases.jsonl')).judge).not.toBe(first.judge);
});
