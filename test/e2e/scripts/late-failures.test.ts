// What goes wrong after a test has ended is never lost, and nothing vanishes.

import { expect, test } from 'vitest';
import { application, ends, resultsIn, runScripts } from '../support/script-files.ts';

const SLEEP = 'const sleep = (ms) => new Promise((done) => setTimeout(done, ms));';

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

test('a late failure is known although a later test kills or blocks the worker', async () => {
  const file = (end: string): string => `${SLEEP}
    export function TestA(t) { t.assert.True(true); setTimeout(() => { throw new Error('mine'); }, 50); setTimeout(() => { throw new Error('again'); }, 60); }
    export async function TestB(t) { await sleep(300); ${end} }
    export function TestC(t) { t.assert.True(true); }`;
  const cwd = application({
    'a_test.ts': file(`process.kill(process.pid, 'SIGKILL');`),
    'b_test.ts': file('while (true) {}'),
    'c_test.ts': `process.chdir('.');${file(`process.kill(process.pid, 'SIGKILL');`)}`,
  });
  await runScripts(cwd, ['--timeout', '2s']);
  const told = ends(cwd);
  for (const name of ['a', 'b', 'c'])
    expect([told[`${name} TestA`], told[`${name} TestC`]]).toEqual([
      'error | agent | after it had ended: mine',
      'passed',
    ]);
});

test('a late failure of whatever kind belongs to the test that began it', async () => {
  const cwd = application({
    'a_test.ts': `
      import { pbkdf2 } from 'node:crypto';
      import { EventEmitter, once } from 'node:events';
      import { setTimeout as rest } from 'node:timers/promises';
      import { brotliCompress } from 'node:zlib';
      ${SLEEP}
      const bus = new EventEmitter();
      let open;
      const gate = new Promise((done) => (open = done));
      const fail = (word) => () => { throw new Error(word); };
      export function TestPbkdf(t) { t.assert.True(true); pbkdf2('a', 'b', 200000, 64, 'sha512', fail('pbkdf')); }
      export function TestBrotli(t) { t.assert.True(true); brotliCompress(Buffer.alloc(1e6, 'abc'), fail('brotli')); }
      export function TestUnref(t) { t.assert.True(true); rest(300, null, { ref: false }).then(fail('unref')); }
      export function TestAbort(t) { t.assert.True(true); AbortSignal.timeout(300).addEventListener('abort', fail('abort')); }
      export function TestGate(t) { t.assert.True(true); gate.then(fail('gate')); }
      export function TestOnce(t) { t.assert.True(true); once(bus, 'go').then(fail('once')); }
      export async function TestLong(t) { await sleep(600); open(); bus.emit('go'); await sleep(600); t.assert.True(true); }
      export function TestLast(t) { t.assert.True(true); }`,
  });
  await runScripts(cwd);
  expect(ends(cwd)).toEqual({
    TestPbkdf: 'error | agent | after it had ended: pbkdf',
    TestBrotli: 'error | agent | after it had ended: brotli',
    TestUnref: 'error | agent | after it had ended: unref',
    TestAbort: 'error | agent | after it had ended: abort',
    TestGate: 'error | agent | after it had ended: gate',
    TestOnce: 'error | agent | after it had ended: once',
    TestLong: 'passed',
    TestLast: 'passed',
  });
});

test('a failure of something BeforeAll started belongs to the test that runs at that time', async () => {
  const cwd = application({
    'a_test.ts': `
      import { createServer } from 'node:http';
      let server;
      const url = (path) => 'http://127.0.0.1:' + server.address().port + path;
      export async function BeforeAll() {
        server = createServer((request, response) => { if (request.url === '/bad') { response.destroy(); throw new Error('handler'); } response.end('fine'); });
        await new Promise((done) => server.listen(0, done));
      }
      export function AfterAll() { server.closeAllConnections(); server.close(); }
      export async function TestFine(t) { t.assert.Equal(await (await fetch(url('/'))).text(), 'fine'); }
      export async function TestBad(t) { await fetch(url('/bad')).catch(() => {}); t.assert.True(true); }
      export async function TestAfter(t) { t.assert.Equal(await (await fetch(url('/'))).text(), 'fine'); }`,
  });
  await runScripts(cwd);
  expect(ends(cwd)).toEqual({ TestFine: 'passed', TestBad: 'error | agent | handler', TestAfter: 'passed' });
});
