// What one file does to its world never reaches another one; files run at the same time.

import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { callsIn, readLog } from '../support/assay.ts';
import { application, ends, logsIn, runScripts, SOURCES } from '../support/script-files.ts';

const POLLUTES = `
import fs from 'node:fs';
import { EventEmitter } from 'node:events';
import { state } from './state';
import counter from 'counting-package';
globalThis.leaked = 'global';
Array.prototype.leaked = 'array';
Object.prototype.leakedToo = 'object';
String.prototype.trim = () => 'patched';
process.env.LEAKED = 'environment';
delete process.env.HOME;
fs.readFileSync = () => 'patched';
require('fs').promises.readFile = async () => 'patched';
EventEmitter.prototype.leaked = 'class';
Buffer.prototype.leaked = 'buffer';
URL.prototype.leaked = 'url';
JSON.parse = () => 'patched';
Math.random = () => 0.5;
Date.now = () => 0;
Promise.prototype.then2 = 1;
console.log = () => {};
globalThis.fetch = () => 'patched';
globalThis.setTimeout = () => 'patched';
process.on('exit', () => { throw new Error('on exit'); });
process.title = 'leaked';
setInterval(() => { globalThis.ticks = (globalThis.ticks || 0) + 1; }, 1);
state.count += 1;
counter.count += 1;
Object.freeze(Object.prototype);
export function TestPollutes(t) {
  const { assert } = t;
  assert.Equal([leaked, [].leaked, ' x'.trim(), process.env.LEAKED, fs.readFileSync('x')], ['global', 'array', 'patched', 'environment', 'patched']);
  assert.Equal([state.count, counter.count], [1, 1]);
}
`;
const CLEAN = `
import fs from 'node:fs';
import { EventEmitter } from 'node:events';
import { state } from './state';
import counter from 'counting-package';
export async function TestClean(t) {
  console.log('printed by NAME');
  const { assert } = t;
  assert.Equal([typeof leaked, [].leaked, {}.leakedToo, ' x '.trim()], ['undefined', undefined, undefined, 'x']);
  assert.Equal([process.env.LEAKED, typeof process.env.HOME], [undefined, 'string']);
  assert.Equal([fs.readFileSync('app.yao', 'utf8'), await fs.promises.readFile('app.yao', 'utf8')], ['{}', '{}']);
  assert.Equal([EventEmitter.prototype.leaked, Buffer.prototype.leaked, URL.prototype.leaked], [undefined, undefined, undefined]);
  assert.Equal(JSON.parse('[1]'), [1]);
  assert.NotEqual(Math.random(), 0.5);
  assert.Greater(Date.now(), 1_600_000_000_000);
  assert.Equal(Promise.prototype.then2, undefined);
  await new Promise((done) => setTimeout(done, 5));
  assert.Contains(String(fetch), 'fetch');
  assert.Equal([state.count, counter.count, globalThis.ticks], [0, 0, undefined]);
  assert.False(Object.isFrozen(Object.prototype));
}
`;

test('globals, built-ins, environment, modules, packages, timers and console of one file do not reach the next in the same worker', async () => {
  const clean = (name: string): string => CLEAN.replace('NAME', name);
  const cwd = application(
    {
      'state.ts': 'export const state = { count: 0 };\n',
      'a_test.ts': clean('a'),
      'b_test.ts': POLLUTES,
      'c_test.ts': clean('c'),
      'd_test.ts': POLLUTES,
      'e_test.ts': clean('e'),
    },
    {
      'node_modules/counting-package/package.json': { name: 'counting-package', main: 'main.js' },
      'node_modules/counting-package/main.js': 'module.exports = { count: 0 };\n',
    },
  );
  const { exitCode } = await runScripts(cwd, ['--parallel', '1']);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 0,
    'a TestClean': 'passed',
    'b TestPollutes': 'passed',
    'c TestClean': 'passed',
    'd TestPollutes': 'passed',
    'e TestClean': 'passed',
  });
  expect(logsIn(cwd)).toEqual({
    'a TestClean': ['printed by a'],
    'b TestPollutes': [],
    'c TestClean': ['printed by c'],
    'd TestPollutes': [],
    'e TestClean': ['printed by e'],
  });
});

test('functions of a file share its state and run in order; a value of Node is what it should be', async () => {
  const cwd = application({
    'order_test.ts': `
      import { readFileSync } from 'node:fs';
      import { strictEqual, deepStrictEqual } from 'node:assert';
      const seen: string[] = [];
      function TestB(t) { seen.push('B'); t.assert.Equal(seen, ['B']); }
      function TestA(t) { seen.push('A'); t.assert.Equal(seen, ['B', 'A']); }
      function TestRealm(t) {
        t.assert.True(readFileSync('app.yao') instanceof Uint8Array);
        t.assert.True(Array.isArray('a b'.split(' ')) && [] instanceof Array && {} instanceof Object);
        try { readFileSync('nowhere'); } catch (error) { t.assert.True(error instanceof Error); t.assert.Equal(error.code, 'ENOENT'); }
        t.assert.True(structuredClone({ a: new Date(0) }).a instanceof Date);
        t.assert.True(new URL('http://a/b?c=1').searchParams instanceof URLSearchParams);
        deepStrictEqual({ a: [1] }, { a: [1] });
        strictEqual(1, 1);
        t.assert.Equal(typeof Buffer.from('x').toString('base64'), 'string');
        t.assert.Equal(new TextDecoder().decode(new TextEncoder().encode('ü')), 'ü');
        t.assert.True((async () => 1)() instanceof Promise);
        t.assert.True(new AbortController().signal instanceof AbortSignal);
      }`,
  });
  await runScripts(cwd);
  expect(ends(cwd)).toEqual({ TestB: 'passed', TestA: 'passed', TestRealm: 'passed' });
});

test('a file that needs more than a context gets its own process: another folder, top-level await, an addon, import.meta', async () => {
  const cwd = application({
    'a_chdir_test.ts': `import { tmpdir } from 'node:os';\nfunction TestMoves(t) { process.chdir(tmpdir()); t.assert.NotEqual(process.cwd(), process.env.HOME_FOLDER); t.log(process.pid); }\n`,
    'b_stays_test.ts': `import { existsSync } from 'node:fs';\nfunction TestStays(t) { t.assert.True(existsSync('app.yao')); t.log(process.pid); }\n`,
    'c_await_test.ts': `const value = await Promise.resolve(42);\nexport function TestAwaits(t) { t.assert.Equal(value, 42); t.log(process.pid); }\n`,
    'd_addon_test.ts': `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nfunction TestAddon(t) { t.assert.Panic(() => process.dlopen({ exports: {} }, '/nowhere.node')); t.log(process.pid); }\n`,
    'e_stays_test.ts': `function TestStays(t) { t.assert.True(true); t.log(process.pid); }\n`,
    'f_meta_test.ts': `const folder = import.meta.dirname ?? new URL('.', import.meta.url).pathname;\nfunction TestMeta(t) { t.assert.Type(folder, 'string'); t.log(process.pid); }\n`,
    'g_hang_test.ts': `await null;\nfunction TestHangs(t) { while (true) {} }\nfunction TestAfter(t) { t.assert.True(true); process.exit(4); }\nfunction TestThrows(t: any) {\n  throw new Error('mapped');\n}\n`,
  });
  const { exitCode } = await runScripts(cwd, ['--parallel', '1', '--timeout', '1s']);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    'a_chdir TestMoves': 'passed',
    'b_stays TestStays': 'passed',
    'c_await TestAwaits': 'passed',
    'd_addon TestAddon': 'passed',
    'e_stays TestStays': 'passed',
    'f_meta TestMeta': 'passed',
    'g_hang TestHangs': 'timeout | timeout after 1s',
    'g_hang TestAfter': 'error | agent | process.exit(4) was called',
    'g_hang TestThrows': 'error | agent | mapped',
  });
  const { 'b_stays TestStays': first, 'e_stays TestStays': second, ...others } = logsIn(cwd);
  const pids = [
    others['a_chdir TestMoves'],
    others['c_await TestAwaits'],
    others['d_addon TestAddon'],
  ].flat();
  expect(new Set([...pids, ...(first ?? [])]).size).toBe(4);
  expect(second).toHaveLength(1);
});

test('files run at the same time: two that wait for each other both pass', async () => {
  const meets = (own: string, other: string): string => `
    import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
    async function TestMeets(t) {
      writeFileSync('${own}.here', '');
      while (!existsSync('${other}.here')) await new Promise((done) => setTimeout(done, 5));
      appendFileSync('calls.txt', 'met\\n');
      t.assert.True(true);
    }`;
  const cwd = application({
    'left_test.ts': meets('left', 'right'),
    'right_test.ts': meets('right', 'left'),
  });
  const { exitCode } = await runScripts(cwd, ['--parallel', '2', '--timeout', '10s']);
  expect({ exitCode, calls: callsIn(cwd), ...ends(cwd) }).toEqual({
    exitCode: 0,
    calls: ['met', 'met'],
    'left TestMeets': 'passed',
    'right TestMeets': 'passed',
  });
  expect(existsSync(join(cwd, 'left.here'))).toBe(true);
});

test('every result is of its own file, however quickly many files with the same names follow each other in a worker', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `f${String(index + 10)}`);
  const sources = names.map((name) => [
    `${name}_test.ts`,
    `const own = '${name}';\nfunction TestSame(t) { t.log(own); t.assert.True(true); }\n`,
  ]);
  const cwd = application(Object.fromEntries(sources));
  const { exitCode } = await runScripts(cwd, ['--runs', '5']);
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const mixedUp = results
    .map(({ test_id, status, logs }) => [test_id, status, logs])
    .filter(([id, status, logs]) => status !== 'passed' || id !== `scripts.expense.${String(logs)}`);
  expect({ exitCode, count: results.length, mixedUp }).toEqual({ exitCode: 0, count: 200, mixedUp: [] });
});

test('a native addon is loaded: by a package, by an import, by require', async () => {
  const platform = readdirSync('node_modules/@rolldown').find((name) => name.startsWith('binding-')) ?? '';
  const place = resolve('node_modules/@rolldown', platform);
  const addon = readdirSync(place).find((name) => name.endsWith('.node')) ?? '';
  const isLoaded = `t.assert.Type(addon.Bundler ?? addon.BindingBundler, 'function'); t.log(process.pid);`;
  const cwd = application(
    {
      'a_package_test.ts': `import addon from 'with-addon';\nexport function TestPackage(t) { ${isLoaded} }\n`,
      'b_import_test.ts': `import addon from './own.node';\nexport function TestImport(t) { ${isLoaded} }\n`,
      'c_require_test.ts': `import { createRequire } from 'node:module';\nconst addon = createRequire(import.meta.url)('with-addon');\nexport function TestRequire(t) { ${isLoaded} }\n`,
      'd_stays_test.ts': `export function TestStays(t) { t.assert.True(true); t.log(process.pid); }\n`,
    },
    {
      'node_modules/with-addon/package.json': { name: 'with-addon', version: '1.0.0', main: 'index.js' },
      'node_modules/with-addon/index.js': `module.exports = require('./own.node');`,
    },
  );
  symlinkSync(join(place, addon), join(cwd, 'node_modules/with-addon/own.node'));
  symlinkSync(join(place, addon), join(cwd, SOURCES, 'own.node'));
  await runScripts(cwd, ['--parallel', '1']);
  expect(ends(cwd)).toEqual({
    'a_package TestPackage': 'passed',
    'b_import TestImport': 'passed',
    'c_require TestRequire': 'passed',
    'd_stays TestStays': 'passed',
  });
  expect(new Set(Object.values(logsIn(cwd)).flat()).size).toBe(4);
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
