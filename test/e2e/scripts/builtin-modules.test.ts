// What a test or a file leaves behind: told with whoever began it, and gone before the next file.

import { expect, test } from 'vitest';
import { application, ends, logsIn, runScripts } from '../support/script-files.ts';

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

test('instances and settings that Node shares look the same to the next file', async () => {
  const look = `
    import http from 'node:http';
    import https from 'node:https';
    import os from 'node:os';
    import dns from 'node:dns';
    import util from 'node:util';
    import { EventEmitter } from 'node:events';
    const seen = () => [http.globalAgent.maxSockets, https.globalAgent.maxSockets, http.STATUS_CODES[200], os.constants.signals.SIGLEFT, util.inspect.defaultOptions.depth,
      util.inspect({ a: { b: { c: { d: 1 } } } }).length, EventEmitter.defaultMaxListeners, dns.getDefaultResultOrder(), process.title === 'left'];
  `;
  const cwd = application({
    'a_changes_test.ts': `${look}
      export function TestChanges(t) {
        http.globalAgent.maxSockets = 1; https.globalAgent = new https.Agent({ maxSockets: 1 }); http.STATUS_CODES[200] = 'left'; os.constants.signals.SIGLEFT = 1;
        util.inspect.defaultOptions.depth = 0; EventEmitter.defaultMaxListeners = 1; process.title = 'left';
        t.log(JSON.stringify(seen()));
      }`,
    'b_sets_test.ts': `${look}
      export function TestSets(t) { dns.setDefaultResultOrder('ipv4first'); t.log(JSON.stringify(seen())); }`,
    'c_looks_test.ts': `${look}
      export function TestLooks(t) { t.log(JSON.stringify(seen())); }`,
  });
  await runScripts(cwd, ['--parallel', '1']);
  const asEver = [null, null, 'OK', null, 2, 29, 10, 'verbatim', false];
  const seen = Object.entries(logsIn(cwd)).map(([name, [line = '']]) => [name, JSON.parse(line)]);
  expect(Object.fromEntries(seen)).toEqual({
    'a_changes TestChanges': [1, 1, 'left', 1, 0, 15, 1, 'verbatim', true],
    'b_sets TestSets': asEver.with(7, 'ipv4first'),
    'c_looks TestLooks': asEver,
  });
});
