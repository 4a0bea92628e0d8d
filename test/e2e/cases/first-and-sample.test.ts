// --first and --sample run some of the cases.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog, write } from '../support/assay.ts';

const AGENT =
  "export default (messages) => { if (messages.at(-1).content === '!') process.kill(process.ppid, 'SIGINT'); return 'ok'; };\n";

function cases(count: number, from = 0): { id: string; input: string; tags: string[] }[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `c${String(index + from).padStart(4, '0')}`,
    input: 'x',
    tags: [index % 2 === 0 ? 'even' : 'odd'],
  }));
}

const app = (count = 200): string => folder({ 'agent.mjs': AGENT, 'cases.jsonl': cases(count) });

async function ran(cwd: string, ...args: string[]): Promise<string[]> {
  const { exitCode, stderr } = await assay(
    ['test', 'cases.jsonl', 'agent.mjs', '-o', 'log.jsonl', '--no-history', ...args],
    { cwd },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { start, results, summary } = readLog(join(cwd, 'log.jsonl'));
  expect([start.total_cases, summary?.total]).toEqual([results.length, results.length]);
  return results.map(({ id }) => id);
}

test('--first takes the first cases that are selected', async () => {
  const cwd = app();
  expect(await ran(cwd, '--first', '3')).toEqual(['c0000', 'c0001', 'c0002']);
  expect(await ran(cwd, '--first', '2', '--tag', 'odd')).toEqual(['c0001', 'c0003']);
  expect(await ran(cwd, '--first', '500')).toHaveLength(200);
});

test('--first counts over all inputs in their order', async () => {
  const cwd = app(3);
  write(join(cwd, 'more.jsonl'), cases(3, 10));
  expect(await ran(cwd, '-i', 'more.jsonl', '--first', '4')).toEqual(['c0000', 'c0001', 'c0002', 'c0010']);
});

test('--sample is the same for the same seed, and changes little when the file grows', async () => {
  const cwd = app();
  const one = await ran(cwd, '--sample', '20');
  expect(one).toHaveLength(20);
  expect(one).not.toEqual(cases(20).map(({ id }) => id));
  expect(await ran(cwd, '--sample', '20', '--seed', '1')).toEqual(one);
  const other = await ran(cwd, '--sample', '20', '--seed', '2');
  expect(other).toHaveLength(20);
  expect(other).not.toEqual(one);

  write(join(cwd, 'cases.jsonl'), cases(210));
  const grown = await ran(cwd, '--sample', '20');
  expect(grown.filter((id) => one.includes(id)).length).toBeGreaterThanOrEqual(15);
});

test('--sample chooses among the selected cases, and every variant of a matrix has the same ones', async () => {
  const cwd = app();
  const odd = await ran(cwd, '--sample', '5', '--tag', 'odd');
  expect(odd).toHaveLength(5);
  expect(odd.filter((id) => Number(id.slice(1)) % 2 === 0)).toEqual([]);
  write(join(cwd, 'agent2.mjs'), AGENT);
  const { exitCode } = await assay(
    [
      'test',
      'cases.jsonl',
      '--matrix',
      'agent=./agent.mjs,./agent2.mjs',
      '--sample',
      '4',
      '-o',
      'matrix.jsonl',
    ],
    { cwd },
  );
  expect(exitCode).toBe(0);
  const { start, results } = readLog(join(cwd, 'matrix.jsonl'));
  expect([start.total_cases, results.length]).toEqual([8, 8]);
  expect(new Set(results.map(({ id }) => id)).size).toBe(4);
});

test('--resume goes on with the same sample, --failed with what failed of it', async () => {
  const cwd = folder({
    'agent.mjs':
      "import { appendFileSync } from 'node:fs';\nlet n = 0;\nexport default (messages) => { n += 1; if (n === 4) process.kill(process.ppid, 'SIGINT'); return messages.at(-1).content; };\n",
    'cases.jsonl': cases(100).map((one) =>
      Object.assign(one, { assert: { type: 'equals', value: one.id < 'c0050' ? 'x' : 'y' } }),
    ),
  });
  const whole = await assay(
    ['test', 'cases.jsonl', 'agent.mjs', '--sample', '10', '--seed', '5', '--dry-run'],
    { cwd },
  );
  const planned = [...whole.stdout.matchAll(/^ {2}(c\d+)/gm)].map(([, id = '']) => id);
  expect(planned).toHaveLength(10);
  const stopped = await assay(
    ['test', 'cases.jsonl', 'agent.mjs', '--sample', '10', '--seed', '5', '-o', 'log.jsonl'],
    { cwd },
  );
  expect(stopped.exitCode).toBe(130);
  expect(readLog(join(cwd, 'log.jsonl')).start.flags).toMatchObject({ sample: 10, seed: 5 });
  expect((await assay(['test', '--resume', 'log.jsonl', '--sample', '3'], { cwd })).exitCode).toBe(2);
  await assay(['test', '--resume', 'log.jsonl'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const last = new Map(results.map(({ key, id, status }) => [key, { id, status }]));
  expect([...last.values()].map(({ id }) => id).sort()).toEqual(planned.toSorted());

  const failed = [...last.values()].filter(({ status }) => status === 'failed').map(({ id }) => id);
  expect(failed.length).toBeGreaterThan(0);
  await assay(['test', '--failed', 'log.jsonl', '-o', 'again.jsonl'], { cwd });
  expect(
    readLog(join(cwd, 'again.jsonl'))
      .results.map(({ id }) => id)
      .sort(),
  ).toEqual(failed.sort());
});

test.each([
  [
    ['--first', '2', '--sample', '2'],
    '--first and --sample choose cases in two ways\n  hint: leave one of them out\n',
  ],
  [
    ['--seed', '2'],
    '--seed: the seed is that of a sample, and there is none\n  hint: add --sample <n>, or leave it out\n',
  ],
  [['--sample', '0'], '--sample: must be a whole number of at least 1, not "0"\n'],
])('%j is exit 2', async (args, stderr) => {
  expect(await assay(['test', 'cases.jsonl', 'agent.mjs', ...args], { cwd: app(3) })).toMatchObject({
    exitCode: 2,
    stderr,
  });
});
