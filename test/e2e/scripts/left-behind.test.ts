// What a test or a file leaves behind: told with whoever began it, and gone before the next file.

import { expect, test } from 'vitest';
import { application, ends, logsIn, runScripts } from '../support/script-files.ts';

const SLEEP = 'const sleep = (ms) => new Promise((done) => setTimeout(done, ms));';

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

test('what set-up has begun fails the test that runs then', async () => {
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

test('nothing of a file goes on in the next one', async () => {
  const cwd = application({
    'a_test.ts': `
      import fs from 'node:fs';
      import { createServer } from 'node:http';
      import { EventEmitter } from 'node:events';
      import { setTimeout as rest } from 'node:timers/promises';
      export async function TestLeaves(t) {
        t.assert.True(true);
        void (async () => { for (;;) { await rest(5); EventEmitter.prototype.left = 1; } })();
        const timer = setTimeout(() => { Buffer.prototype.left = 1; timer.refresh(); }, 5);
        await new Promise((done) => createServer((_, response) => response.end('from a')).listen(34567, '127.0.0.1', done));
      }`,
    'b_test.ts': `
      import { EventEmitter } from 'node:events';
      export async function TestSees(t) {
        await new Promise((done) => setTimeout(done, 100));
        const answer = await fetch('http://127.0.0.1:34567/').then((response) => response.text(), () => 'nobody');
        t.log(JSON.stringify([EventEmitter.prototype.left, Buffer.prototype.left, answer]));
      }`,
  });
  await runScripts(cwd, ['--parallel', '1']);
  expect(ends(cwd)).toEqual({ 'a TestLeaves': 'passed', 'b TestSees': 'passed' });
  expect(logsIn(cwd)['b TestSees']).toEqual(['[null,null,"nobody"]']);
});

test('parts of modules behind getters, and the memory of the console, are those of the file', async () => {
  const look = `
    import fs from 'node:fs';
    import http from 'node:http';
    import { promises } from 'node:fs';
    import * as own from 'node:fs/promises';
    import { webcrypto } from 'node:crypto';
    import { Blob } from 'node:buffer';
    import util, { TextDecoder } from 'node:util';
    import net from 'node:net';
    const seen = () => [fs.ReadStream.name, fs.WriteStream.prototype.left, webcrypto.left, Blob.prototype.left, TextDecoder.prototype.left, net.BlockList.prototype.left,
      typeof fs.createReadStream('app.yao').on, util.parseArgs.name, promises.left, own.left ?? own.default.left, typeof http.globalAgent.addRequest];
  `;
  const cwd = application({
    'a_test.ts': `${look}
      export function TestChanges(t) {
        fs.ReadStream = class Fake {}; fs.WriteStream.prototype.left = 1; webcrypto.left = 1; Blob.prototype.left = 1; TextDecoder.prototype.left = 1; net.BlockList.prototype.left = 1;
        util.parseArgs = function fake() {}; promises.left = 1; http.globalAgent = { addRequest() {} };
        console.count('x'); console.group('G'); console.time('lab');
        t.log(JSON.stringify(seen()));
      }`,
    'b_test.ts': `${look}
      export function TestLooks(t) { t.log(JSON.stringify(seen())); console.count('x'); console.dir({ a: 1 }); console.time('lab'); }`,
  });
  await runScripts(cwd, ['--parallel', '1']);
  expect(ends(cwd)).toEqual({ 'a TestChanges': 'passed', 'b TestLooks': 'passed' });
  const { 'a TestChanges': changed = [], 'b TestLooks': looked } = logsIn(cwd);
  expect(JSON.parse(changed.at(-1) ?? '')).toEqual([
    'Fake',
    1,
    1,
    1,
    1,
    1,
    'function',
    'fake',
    1,
    1,
    'function',
  ]);
  expect(looked).toEqual([
    JSON.stringify([
      'ReadStream',
      null,
      null,
      null,
      null,
      null,
      'function',
      'parseArgs',
      null,
      null,
      'function',
    ]),
    'x: 1',
    '{ a: 1 }',
  ]);
});

test('prototypes that are reached through an instance are those of the file', async () => {
  const look = `
    import fs from 'node:fs';
    const handle = async () => { const one = await fs.promises.open('app.yao'); await one.close(); return one; };`;
  const cwd = application({
    'a_test.ts': `${look}
      export async function TestChanges(t) { Object.getPrototypeOf(await handle()).left = 1; Object.getPrototypeOf(fs.readdirSync('.')).left = 1; t.assert.Equal((await handle()).left, 1); }`,
    'b_test.ts': `${look}
      export async function TestLooks(t) { t.assert.Equal((await handle()).left, undefined); t.assert.Equal(fs.readdirSync('.').left, undefined); }`,
  });
  await runScripts(cwd, ['--parallel', '1']);
  expect(ends(cwd)).toEqual({ 'a TestChanges': 'passed', 'b TestLooks': 'passed' });
});

test('inside a file, things are as anywhere in Node', async () => {
  const cwd = application(
    {
      'a_assert_test.ts': `
        import assert from 'node:assert/strict';
        import { readdirSync } from 'node:fs';
        export function TestDeep(t) { assert.deepEqual(structuredClone({ a: [1] }), { a: [1] }); assert.deepEqual(readdirSync('data'), ['x.txt']); t.assert.True(true); }`,
      'b_env_test.ts': `
        import { execFileSync } from 'node:child_process';
        export function TestEnv(t) { process.env.GREETING = 'hello'; t.assert.Equal(execFileSync('sh', ['-c', 'echo $GREETING']).toString().trim(), 'hello'); }`,
      'c_errors_test.ts': `
        import { EventEmitter } from 'node:events';
        class Own extends Error {}
        export function TestEmits(t) { const error = new Own('mine'); try { new EventEmitter().emit('error', error); } catch (thrown) { t.assert.True(thrown === error); } }
        export async function TestListens(t) {
          const reasons = [];
          const listener = (reason) => reasons.push(reason.message);
          process.on('unhandledRejection', listener);
          Promise.reject(new Error('expected'));
          await new Promise((done) => setTimeout(done, 20));
          process.off('unhandledRejection', listener);
          t.assert.Equal(reasons, ['expected']);
        }`,
      'd_zone_test.ts': `export function TestZone(t) { process.env.TZ = 'Asia/Tokyo'; t.assert.Equal(new Date('2026-01-01T00:00:00Z').getHours(), 9); }`,
    },
    { 'data/x.txt': '' },
  );
  await runScripts(cwd);
  expect(ends(cwd)).toEqual({
    'a_assert TestDeep': 'passed',
    'b_env TestEnv': 'passed',
    'c_errors TestEmits': 'passed',
    'c_errors TestListens': 'passed',
    'd_zone TestZone': 'passed',
  });
});
