// --order: the history says which cases run first; reports keep the order of the files.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, folder, readLog, write } from '../support/assay.ts';

/** Notes every call. bad.txt has the inputs that it answers wrong; "slow" takes a while. */
const AGENT = `
import { appendFileSync, readFileSync } from 'node:fs';
export default async ([{ content }]) => {
  appendFileSync('calls.txt', content + '\\n');
  if (content === 'slow') await new Promise((done) => setTimeout(done, 80));
  return readFileSync('bad.txt', 'utf8').split(' ').includes(content) ? 'wrong' : 'right';
};
`;
const cases = (ids: readonly string[]) => ids.map((id) => ({ id, input: id, expected: 'right' }));

type Shop = {
  cwd: string;
  /** The inputs in the order in which they were called. */
  calls: (...args: string[]) => Promise<{ called: string; exitCode: number | null; stderr: string }>;
  bad: (text: string) => void;
};

function shop(ids = ['a', 'b', 'slow', 'd']): Shop {
  const cwd = folder({ 'assay.config.json': '{}', 'agent.mjs': AGENT, 'cases.jsonl': cases(ids) });
  const bad = (text: string): void => writeFileSync(join(cwd, 'bad.txt'), text);
  bad('');
  return {
    cwd,
    bad,
    async calls(...args) {
      rmSync(join(cwd, 'calls.txt'), { force: true });
      const all = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', ...args];
      const { exitCode, stderr } = await assay(all, { cwd });
      return { called: callsIn(cwd).join(' '), exitCode, stderr };
    },
  };
}

test('what failed runs first, then new cases, then the rest; without a history as written', async () => {
  const { cwd, calls, bad } = shop();
  bad('d');
  expect((await calls('--order', 'failed-first')).called).toBe('a b slow d');
  write(join(cwd, 'cases.jsonl'), cases(['a', 'new', 'b', 'slow', 'd']));
  expect((await calls('--order', 'failed-first', '--runs', '2')).called).toBe(
    'd new a b slow d new a b slow',
  );
  expect((await calls()).called).toBe('a new b slow d');
  expect(readLog(join(cwd, 'log.jsonl')).results[0]?.position).toBeUndefined();
});

test('--fail-fast begins with what failed, unless it is told otherwise', async () => {
  const { calls, bad } = shop();
  bad('d');
  await calls();
  expect([await calls('--fail-fast'), await calls('--fail-fast', '--order', 'as-written')]).toMatchObject([
    { called: 'd', exitCode: 1 },
    { called: 'a b slow d' },
  ]);
});

test('the slowest first, and the flakiest first', async () => {
  const { calls, bad } = shop();
  for (const text of ['b', '', 'b', '', '', 'b']) {
    bad(text);
    await calls();
  }
  expect((await calls('--order', 'slowest-first')).called).toMatch(/^slow /);
  expect((await calls('--order', 'flaky-first')).called).toBe('b a slow d');
});

test('reports list the cases in the order of the files', async () => {
  const { cwd, calls, bad } = shop();
  bad('d slow');
  await calls();
  const files = ['report.json', 'report.md', 'report.xml', 'report.csv'];
  await calls('--order', 'failed-first', '--runs', '2', ...files.flatMap((file) => ['-o', file]));
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(results.map(({ id, position }) => `${id} ${String(position)}`).slice(0, 4)).toEqual([
    'slow 3',
    'd 4',
    'a 1',
    'b 2',
  ]);
  const text = (file: string): string => readFileSync(join(cwd, file), 'utf8');
  const json = JSON.parse(text('report.json')) as { results: { id: string }[] };
  const found = [
    json.results.map(({ id }) => id),
    [...text('report.md').matchAll(/^### \S+ (\w+) -/gm)].map(([, id]) => id),
    [...text('report.xml').matchAll(/<testcase classname="cases.jsonl" name="(\w+)"/g)].map(([, id]) => id),
    [...text('report.csv').matchAll(/^cases.jsonl,(\w+),/gm)].map(([, id]) => id),
  ];
  for (const ids of found) expect(ids).toEqual(['a', 'b', 'slow', 'd']);
});

test('the tests of a script stay together', async () => {
  const script = (name: string, isGood: boolean): string =>
    `export function TestOne(t: any) { console.log('${name}'); t.assert.True(true); }
export function TestTwo(t: any) { t.assert.True(${String(isGood)}); }\n`;
  const cwd = folder({
    'app.yao': '{}',
    'assistants/shop/package.yao': '{"name":"shop","connector":"x"}',
    'assistants/shop/src/a_test.ts': script('a', true),
    'assistants/shop/src/b_test.ts': script('b', false),
  });
  const run = async (...args: string[]): Promise<string[]> => {
    await assay(['test', '-i', 'scripts.*', '--parallel', '1', '-o', 'log.jsonl', ...args], { cwd });
    return readLog(join(cwd, 'log.jsonl')).results.map(({ test_id, id }) => `${test_id} ${id}`);
  };
  const [a, b] = ['scripts.shop.a', 'scripts.shop.b'];
  const asWritten = [`${a} TestOne`, `${a} TestTwo`, `${b} TestOne`, `${b} TestTwo`];
  expect(await run()).toEqual(asWritten);
  expect(await run('--order', 'failed-first')).toEqual([...asWritten.slice(2), ...asWritten.slice(0, 2)]);
});

test('a history that cannot be read is told, and a wrong word is refused', async () => {
  const { cwd, calls } = shop();
  mkdirSync(join(cwd, '.assay'), { recursive: true });
  writeFileSync(
    join(cwd, '.assay/history.db'),
    'no database at all, and long enough to look like one'.repeat(40),
  );
  const { called, stderr, exitCode } = await calls('--order', 'failed-first', '--no-history');
  expect({ called, exitCode }).toEqual({ called: 'a b slow d', exitCode: 0 });
  expect(stderr).toMatch(/^--order: the history cannot be read, so that cases run as they are written: /);
  const wrong = await calls('--order', 'failed');
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain('did you mean "failed-first"?');
});

test('very many cases run as they are written', async () => {
  const { cwd, calls } = shop();
  const ids = Array.from({ length: 50_001 }, (_, index) => String(index));
  write(
    join(cwd, 'cases.jsonl'),
    ids.map((id) => ({ id, input: id, skip: true })),
  );
  const { stderr, exitCode } = await calls('--order', 'failed-first', '-o', 'report.csv');
  expect({ stderr, exitCode }).toEqual({
    stderr: '--order: more than 50,000 cases run as they are written\n',
    exitCode: 0,
  });
  expect(readLog(join(cwd, 'log.jsonl')).results.map(({ id }) => id)).toEqual(ids);
});
