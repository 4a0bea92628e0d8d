// What goes wrong after a test has ended is never lost, and nothing vanishes.

import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';
import { application, ends, resultsIn, runScripts, SOURCES } from '../support/script-files.ts';

test('a failure after its end belongs to the test that caused it', async () => {
  const cwd = application({
    'a_test.ts': `
      import { readFile } from 'node:fs/promises';
      export async function TestForgotAwait(t) { t.assert.True(true); check(t); }
      export function TestRejectsNothing(t) { t.assert.True(true); Promise.reject(); }
      export function TestExitsLater(t) { t.assert.True(true); setTimeout(() => process.exit(0), 20); }
      export async function TestMicrotask(t) { t.assert.True(true); let n = 4; const f = () => { if (n-- === 0) throw new Error('micro'); queueMicrotask(f); }; f(); }
      export async function TestNext(t) { await new Promise((done) => setTimeout(done, 100)); t.assert.True(true); }
      async function check(t) { await readFile('/etc/hostname'); throw new Error('mine'); }`,
    'b_test.ts': `
      import { readFile } from 'node:fs';
      export function TestLastOne(t) { t.assert.True(true); readFile('/etc/hostname', () => { throw new Error('of the last'); }); }`,
    'c_test.ts': `
      process.chdir('.');
      export function TestAlone(t) { t.assert.True(true); setTimeout(() => { throw new Error('alone'); }, 30); }
      export async function TestNext(t) { await new Promise((done) => setTimeout(done, 100)); t.assert.True(true); }`,
  });
  const { exitCode } = await runScripts(cwd);
  expect(ends(cwd)).toEqual({
    'a TestForgotAwait': 'error | agent | after it had ended: mine',
    'a TestRejectsNothing': 'error | agent | after it had ended: undefined was thrown, which is not an Error',
    'a TestExitsLater': 'error | agent | after it had ended: process.exit(0) was called',
    'a TestMicrotask': 'error | agent | after it had ended: micro',
    'a TestNext': 'passed',
    'b TestLastOne': 'error | agent | after it had ended: of the last',
    'c TestAlone': 'error | agent | after it had ended: alone',
    'c TestNext': 'passed',
  });
  expect(exitCode).toBe(1);
});

test('a failure long after its end belongs to the test that caused it, too', async () => {
  const sleep = (ms: number): string => `await new Promise((done) => setTimeout(done, ${String(ms)}));`;
  const cwd = application({
    'a_test.ts': `
      export async function TestEarly(t) { t.assert.True(true); setTimeout(() => { throw new Error('long after'); }, 900); }
      export async function TestUnref(t) { t.assert.True(true); setTimeout(() => { throw new Error('unref'); }, 800).unref(); }
      export function TestWithdrawn(t) { t.assert.True(true); const timer = setTimeout(() => { throw new Error('never'); }, 100); clearTimeout(timer); }
      export async function TestLong(t) { ${sleep(700)} t.assert.True(true); }
      export async function TestLonger(t) { ${sleep(700)} t.assert.True(true); }`,
    // Not a timer, and in a process of its own.
    'b_test.ts': `
      import { createServer, get } from 'node:http';
      let server;
      export async function BeforeAll() { server = createServer((_, response) => setTimeout(() => response.end('late'), 700)); await new Promise((done) => server.listen(0, done)); }
      export function AfterAll() { server.closeAllConnections(); server.close(); }
      export function TestAsks(t) { t.assert.True(true); get({ port: server.address().port, agent: false }, () => { throw new Error('answered'); }); }
      export async function TestLong(t) { ${sleep(1000)} t.assert.True(true); }
      export async function TestLast(t) { ${sleep(10)} t.assert.True(true); }`,
    'c_test.ts': `process.chdir('.');
      export async function TestEarly(t) { t.assert.True(true); setTimeout(() => { throw new Error('long after'); }, 900); }
      export async function TestLong(t) { ${sleep(1000)} t.assert.True(true); }
      export async function TestLast(t) { ${sleep(10)} t.assert.True(true); }`,
  });
  const expected = {
    'a TestEarly': 'error | agent | after it had ended: long after',
    'a TestUnref': 'error | agent | after it had ended: unref',
    'a TestWithdrawn': 'passed',
    'a TestLong': 'passed',
    'a TestLonger': 'passed',
    'b TestAsks': 'error | agent | after it had ended: answered',
    'b TestLong': 'passed',
    'b TestLast': 'passed',
    'c TestEarly': 'error | agent | after it had ended: long after',
    'c TestLong': 'passed',
    'c TestLast': 'passed',
  };
  const { exitCode } = await runScripts(cwd);
  expect(ends(cwd)).toEqual(expected);
  expect(exitCode).toBe(1);
});

test('--fail-fast goes on while nothing is known, and stops when it is', async () => {
  const sleep = 'await new Promise((done) => setTimeout(done, 400)); t.assert.True(true);';
  const cwd = application({
    'a_test.ts': `
      export async function TestEarly(t) { t.assert.True(true); setTimeout(() => { throw new Error('after'); }, 600); }
      export async function TestA(t) { ${sleep} }
      export async function TestB(t) { ${sleep} }
      export async function TestC(t) { ${sleep} }
      export async function TestD(t) { ${sleep} }`,
  });
  const { exitCode } = await runScripts(cwd, ['--fail-fast']);
  expect(ends(cwd)).toEqual({
    TestEarly: 'error | agent | after it had ended: after',
    TestA: 'passed',
    TestB: 'passed',
    TestC: 'skipped | fail_fast',
    TestD: 'skipped | fail_fast',
  });
  expect(exitCode).toBe(1);
});

test('an outcome that waits for more is known when a later test kills the worker', async () => {
  const cwd = application({
    'a_test.ts': `
      export function TestWaits(t) { t.assert.True(true); setInterval(() => {}, 50000); }
      export function TestFails(t) { t.assert.Equal(1, 2); setTimeout(() => {}, 50000); }
      export function TestDies() { process.kill(process.pid, 'SIGKILL'); }
      export function TestLast(t) { t.assert.True(true); }`,
  });
  await runScripts(cwd);
  expect(Object.values(resultsIn(cwd)).map(({ id, status }) => `${id} ${status}`)).toEqual([
    'TestWaits passed',
    'TestFails failed',
    'TestDies error',
    'TestLast passed',
  ]);
});

test('tests that code of the file makes vanish are errors', async () => {
  const cwd = application({
    'a_test.ts': `process.chdir('.');
      export function TestA(t) { Array.prototype.shift = () => undefined; t.assert.True(true); }
      export function TestB(t) { t.assert.True(false); }`,
  });
  const { exitCode } = await runScripts(cwd);
  expect(
    Object.values(resultsIn(cwd))
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['TestA', 'TestB']);
  expect(exitCode).toBe(1);
});

test('two files of the same name both run', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'assistants/expense/package.yao': '{}',
    'assistants/expense/src/setup_test.ts': 'export function TestOne(t) { t.assert.True(true); }',
    'scripts/expense/setup_test.ts': 'export function TestOne(t) { t.assert.True(false); }',
  });
  const { exitCode } = await assay(['test', '-i', 'scripts.*', '-o', 'log.jsonl'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const told = results.map(({ test_id, status }) => `${test_id}: ${status}`);
  expect(told.sort()).toEqual([
    'scripts.expense.setup (scripts/expense/setup_test.ts): failed',
    'scripts.expense.setup: passed',
  ]);
  expect(exitCode).toBe(1);
});

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

test('much logged beside a pending timer stays bounded', async () => {
  const lines = Array.from(
    { length: 30 },
    (_, index) =>
      `export function TestL${String(index)}(t) { for (let i = 0; i < 3; i++) t.log(line); t.assert.True(true); }`,
  );
  const cwd = application({
    'a_test.ts': `const line = 'x'.repeat(1e6);\nexport function Test0(t) { t.assert.True(true); setTimeout(() => {}, 50000); }\n${lines.join('\n')}`,
  });
  const { exitCode } = await runScripts(cwd);
  expect([exitCode, Object.keys(resultsIn(cwd)).length]).toEqual([0, 31]);
});
