// What tests and suites say about how they are run, and runs that are taken up again.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assay, readLog, write } from '../support/assay.ts';
import type { Report } from '../support/definition-files.ts';
import { application, ECHO, readText, refusal, report, suite } from '../support/definition-files.ts';

describe('options of definitions', () => {
  const slow =
    'export default async (m) => { await new Promise((r) => setTimeout(r, 300)); return m[0].content; };\n';

  test('runs, timeout and tags are those of the test unless the command line says otherwise', async () => {
    const cases = [{ id: 'a', input: 'hi' }];
    const cwd = application({
      cases,
      options: { runs: 3, timeout: '100ms' },
      files: {
        'tests/echo.mjs': slow,
        'tests/quick.test.json': { id: 'quick', name: 'Quick', type: 'tone', agent: './quick.mjs', cases },
        'tests/quick.mjs': ECHO,
      },
    });
    const first = await assay(['run', 'greeting', 'quick', '-o', 'log.jsonl', '--json'], { cwd });
    expect(first.exitCode).toBe(1);
    const { results, start } = readLog(join(cwd, 'log.jsonl'));
    expect(results.map(({ test_id, run, status }) => [test_id, run, status])).toEqual([
      ['greeting', 1, 'timeout'],
      ['quick', 1, 'passed'],
      ['greeting', 2, 'timeout'],
      ['greeting', 3, 'timeout'],
    ]);
    expect(start.runs_per_case).toBe(3);
    const { summary } = JSON.parse(first.stdout) as Report;
    expect(summary).toMatchObject({ total: 2, passed: 1, failed: 1, total_runs: 4 });

    const second = await report(['run', '*', '--tag', 'smoke', '--runs', '1', '--timeout', '5s'], cwd);
    expect(second.results.map(({ id, status }) => [id, status])).toEqual([['a', 'passed']]);
  });

  test('a suite stops at the first failure, in the order it lists, and tears down whatever happens', async () => {
    const hooks = (up: string): string =>
      `import { appendFileSync } from 'node:fs';
export function Up() { appendFileSync('trace.txt', 'up\\n'); ${up} }
export function Down() { appendFileSync('trace.txt', 'down\\n'); }\n`;
    const cwd = application({
      cases: [{ id: 'a', input: 'hi', expected: 'no' }],
      files: {
        'scripts/env.ts': hooks(''),
        'tests/other.test.json': {
          id: 'other',
          name: 'O',
          type: 'tone',
          agent: './echo.mjs',
          cases: [{ id: 'b', input: 'x' }],
        },
        ...suite({
          tests: ['greeting', 'other'],
          options: { failFast: true },
          setUp: 'scripts.env.Up',
          tearDown: 'scripts.env.Down',
        }),
      },
    });
    const { exitCode, stdout } = await assay(['suite', 'nightly'], { cwd });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('0 passed, 1 failed, 1 skipped')]);
    expect((await assay(['suite', 'nightly'], { cwd })).exitCode).toBe(1);
    write(join(cwd, 'scripts/env.ts'), hooks("throw new Error('no database');"));
    const failed = await assay(['suite', 'nightly'], { cwd });
    expect([failed.exitCode, failed.stderr]).toEqual([3, expect.stringContaining('no database')]);
    const trace = await assay(['test', '-i', 'x', '-n', './trace.mjs'], { cwd });
    expect(trace.exitCode).toBe(2);
    expect(readTrace(cwd)).toEqual(['up', 'down', 'up', 'down', 'up', 'down']);
  });

  test('parallel of a test limits that test only', async () => {
    const busy = `let now = 0, most = 0;
export default async () => { now += 1; most = Math.max(most, now); await new Promise((r) => setTimeout(r, 50)); now -= 1; return String(most); };\n`;
    const cases = Array.from({ length: 6 }, (_, index) => ({ id: `c${String(index)}`, input: 'x' }));
    const cwd = application({
      cases,
      options: { parallel: 1 },
      files: {
        'tests/echo.mjs': busy,
        'tests/other.test.json': {
          id: 'other',
          name: 'O',
          type: 'tone',
          agent: './other.mjs',
          cases,
          options: { parallel: 3 },
        },
        'tests/other.mjs': busy,
      },
    });
    const { results } = await report(['run', 'greeting', 'other'], cwd);
    const most = (from: number): number =>
      Math.max(...results.slice(from, from + 6).map(({ output }) => Number(output)));
    expect([most(0), most(6)]).toEqual([1, 3]);
  });
});

describe('a run that is taken up again', () => {
  const cases = [1, 2, 3, 4].map((index) => ({ id: `c${String(index)}`, input: '{{Note}}' }));

  async function interrupted(cwd: string, more: string[] = []): Promise<void> {
    await assay(['run', 'greeting', '--var', 'Note=n', '-o', 'log.jsonl', ...more], { cwd });
    const lines = readText(join(cwd, 'log.jsonl')).trim().split('\n');
    // As if it had been killed after two results.
    write(join(cwd, 'log.jsonl'), `${lines.slice(0, 3).join('\n')}\n`);
  }

  test('has the same values, runs and cases', async () => {
    const cwd = application({ cases, options: { runs: 2 } });
    await interrupted(cwd);
    const { exitCode, stderr } = await assay(['test', '--resume', 'log.jsonl'], { cwd });
    expect([exitCode, stderr]).toEqual([0, '']);
    const { results, summary } = readLog(join(cwd, 'log.jsonl'));
    expect([results.length, summary]).toMatchObject([8, { total: 4, passed: 4, total_runs: 8 }]);
    expect(new Set(results.map(({ variables }) => variables?.['Note']))).toEqual(new Set(['n']));
  });

  test('is refused if its definition says something else now', async () => {
    const cwd = application({ cases });
    await interrupted(cwd);
    const definition = JSON.parse(readText(join(cwd, 'tests/greeting.test.json'))) as Record<string, unknown>;
    write(join(cwd, 'tests/greeting.test.json'), {
      ...definition,
      variables: { variables: { Count: { exposed: true, defaultValue: 9 } } },
    });
    expect(await refusal(['test', '--resume', 'log.jsonl'], cwd)).toEqual([
      2,
      expect.stringContaining('what is defined for greeting has changed since the run began'),
    ]);
  });
});

function readTrace(cwd: string): string[] {
  return readText(join(cwd, 'trace.txt')).trim().split('\n');
}
