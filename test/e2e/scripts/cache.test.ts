// Compiled files of tests are kept: what has not changed is never compiled again, whoever else compiles at the same time.

import {
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLog, start, write } from '../support/assay.ts';
import { until } from '../../until.ts';
import { application, ends, runScripts, SOURCES } from '../support/script-files.ts';
import { assay } from '../support/assay.ts';

const FILES = {
  'shared.ts': 'export const shared = 1;\n',
  'a.ts': `import { shared } from './shared';\nexport const a = () => shared;\n`,
  'a_test.ts': `import { a } from './a';\nfunction TestA(t) { t.log(a()); t.assert.True(true); }\n`,
  'b.ts': 'export const b = () => 2;\n',
  'b_test.ts': 'function TestB(t) { t.log(b()); t.assert.True(true); }\n',
};

/** Every file of the cache with the time of its last change. */
function cacheOf(cwd: string): Record<string, number> {
  const folder = join(cwd, '.assay/cache');
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, statSync(join(folder, name)).mtimeMs]));
}

/** The sources whose compiled files are new or changed. */
function changes(before: Record<string, number>, after: Record<string, number>): string[] {
  const changed = Object.keys(after).filter((name) => name.endsWith('.mjs') && after[name] !== before[name]);
  return changed.map((name) => name.replace(/-.*/, ''));
}

test('a second run compiles nothing; a change compiles what it reaches, and a new time alone nothing', async () => {
  const cwd = application(FILES);
  await runScripts(cwd);
  const first = cacheOf(cwd);
  expect(changes({}, first)).toEqual(['a_test', 'b_test']);

  expect((await runScripts(cwd)).exitCode).toBe(0);
  expect(cacheOf(cwd)).toEqual(first);

  write(join(cwd, SOURCES, 'shared.ts'), 'export const shared = 5;\n');
  expect((await runScripts(cwd)).exitCode).toBe(0);
  const second = cacheOf(cwd);
  expect(changes(first, second)).toEqual(['a_test']);
  const logs = readLog(join(cwd, 'log.jsonl')).results.map(({ id, logs: lines }) => [id, lines]);
  expect(Object.fromEntries(logs)).toEqual({ TestA: ['5'], TestB: ['2'] });

  const later = new Date(Date.now() + 60_000);
  for (const name of Object.keys(FILES)) utimesSync(join(cwd, SOURCES, name), later, later);
  expect((await runScripts(cwd)).exitCode).toBe(0);
  expect(changes(second, cacheOf(cwd))).toEqual([]);
});

test('several first runs at once, one of them killed, do not disturb each other', async () => {
  const many = Array.from({ length: 12 }, (_, index) => [
    `m${String(index)}_test.ts`,
    `import { shared } from './shared';\nfunction Test${String(index)}(t) { t.assert.Equal(shared, 1); }\n`,
  ]);
  const cwd = application({ 'shared.ts': FILES['shared.ts'], ...Object.fromEntries(many) });
  const killed = start(['test', '-i', 'scripts.expense', '-o', 'killed.jsonl'], { cwd });
  const runs = [1, 2].map((number) =>
    assay(['test', '-i', 'scripts.expense', '-o', `log${String(number)}.jsonl`], { cwd }),
  );
  await until(() => Object.keys(cacheNames(cwd)).length > 0);
  killed.child.kill('SIGKILL');
  const [one, two] = await Promise.all(runs);
  expect([one?.exitCode, two?.exitCode], `${String(one?.stderr)}${String(two?.stderr)}`).toEqual([0, 0]);
  for (const name of ['log1.jsonl', 'log2.jsonl'])
    expect(readLog(join(cwd, name)).summary).toMatchObject({ total: 12, passed: 12 });
  const before = cacheOf(cwd);
  expect((await runScripts(cwd)).exitCode).toBe(0);
  expect(Object.values(ends(cwd))).toEqual(Array.from({ length: 12 }, () => 'passed'));
  expect(changes(before, cacheOf(cwd))).toEqual([]);
});

function cacheNames(cwd: string): string[] {
  try {
    return readdirSync(join(cwd, '.assay/cache'));
  } catch {
    return [];
  }
}

test('a damaged cache is made again; links are followed; a link to nowhere is left alone', async () => {
  const cwd = application({ 'a_test.ts': 'export function TestA(t) { t.assert.True(true); }' });
  mkdirSync(join(cwd, 'real'));
  writeFileSync(join(cwd, 'real/link_test.ts'), 'export function TestLinked(t) { t.assert.True(true); }');
  symlinkSync(join(cwd, 'real/link_test.ts'), join(cwd, SOURCES, 'link_test.ts'));
  symlinkSync('/nowhere', join(cwd, SOURCES, 'lost_test.ts'));
  const passed = { 'a TestA': 'passed', 'link TestLinked': 'passed' };
  await runScripts(cwd);
  expect(ends(cwd)).toEqual(passed);
  const cache = join(cwd, '.assay/cache');
  for (const damage of [
    (path: string): void => truncateSync(path, 20),
    (path: string): void => (path.endsWith('.json') ? writeFileSync(path, 'null') : undefined),
  ]) {
    for (const name of readdirSync(cache)) if (!name.endsWith('.map')) damage(join(cache, name));
    const { exitCode } = await runScripts(cwd);
    expect([exitCode, ends(cwd)]).toEqual([0, passed]);
  }
});
