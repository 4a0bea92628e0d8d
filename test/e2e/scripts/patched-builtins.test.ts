// Tests that replace built-ins of the language or of Node, by accident or on purpose: what fails stays failed, and what passes stays passed.

import { describe, expect, test } from 'vitest';
import { application, logsIn, resultsIn, runScripts } from '../support/script-files.ts';

const PATCHES: Record<string, string> = {
  'every list method agrees': `for (const name of ['every', 'some', 'includes']) Array.prototype[name] = () => true;`,
  'every list method finds nothing': `for (const name of ['filter', 'map', 'find', 'findIndex', 'flatMap', 'splice', 'slice', 'concat', 'entries']) Array.prototype[name] = () => [];`,
  'lists take nothing in': `Array.prototype.push = () => 0; Array.prototype.unshift = () => 0; Array.prototype.pop = () => undefined; Array.prototype.shift = () => undefined;`,
  'lists cannot be walked': `Array.prototype[Symbol.iterator] = function* () {}; Array.prototype.forEach = () => {};`,
  'lists are always empty when joined': `Array.prototype.join = () => ''; Array.prototype.at = () => undefined; Array.prototype.reduce = () => 0;`,
  'maps and sets': `for (const Class of [Map, Set]) { Class.prototype.has = () => true; Class.prototype.get = () => 1; Class.prototype.delete = () => true; Class.prototype.values = function* () {}; Object.defineProperty(Class.prototype, 'size', { get: () => 0 }); Class.prototype[Symbol.iterator] = function* () {}; }`,
  'a map that keeps nothing': `Map.prototype.set = function () { return this; }; Set.prototype.add = function () { return this; };`,
  'another Promise': `globalThis.Promise = class { then(ok) { ok?.(); return this; } catch() { return this; } finally() { return this; } static resolve() { return new this(); } static all() { return new this(); } static race() { return new this(); } };`,
  'promises never reject': `const then = Promise.prototype.then; Promise.prototype.then = function (ok) { return then.call(this, ok, ok); }; Promise.prototype.catch = function () { return this; };`,
  'Promise without its functions': `for (const name of ['resolve', 'reject', 'all', 'allSettled', 'race']) Promise[name] = () => { throw new Error('patched'); };`,
  JSON: `JSON.parse = () => ({}); JSON.stringify = () => '{}';`,
  'clocks that stand still or run backwards': `Date.now = () => NaN; globalThis.Date = class { getTime() { return -1; } }; let time = 1e9; performance.now = () => (time -= 1e6); process.hrtime = () => [-1, -1]; process.hrtime.bigint = () => -1n; process.uptime = () => -1;`,
  'clocks that leap': `let time = 0; performance.now = () => (time += 1e12); Date.now = () => (time += 1e12);`,
  'timers that do nothing': `for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'queueMicrotask']) globalThis[name] = () => 0; process.nextTick = () => {};`,
  Object: `Object.keys = () => []; Object.entries = () => []; Object.is = () => true; Object.getOwnPropertySymbols = () => []; Object.prototype.propertyIsEnumerable = () => true; Object.prototype.hasOwnProperty = () => true; Object.prototype.toString = () => '[object Object]'; Object.assign = (a) => a; Object.hasOwn = () => true;`,
  Reflect: `Reflect.get = () => 1; Reflect.apply = () => undefined; Reflect.ownKeys = () => [];`,
  'Number and String': `Number.isNaN = () => true; Number.isInteger = () => true; Number.isFinite = () => false; String.prototype.includes = () => true; String.prototype.startsWith = () => true; globalThis.String = () => ''; globalThis.Number = () => 0;`,
  'regular expressions': `RegExp.prototype.test = () => true; RegExp.prototype.exec = () => null; Object.defineProperty(RegExp.prototype, 'source', { get: () => '' }); globalThis.RegExp = class { test() { return true; } };`,
  Function: `Function.prototype.call = () => true; Function.prototype.bind = function () { return this; };`,
  Error: `globalThis.Error = class {}; globalThis.TypeError = class {}; Object.defineProperty(Error, Symbol.hasInstance, { value: () => false });`,
  stacks: `Error.prepareStackTrace = () => { throw 1; }; Error.stackTraceLimit = 0; Error.captureStackTrace = () => { throw 1; };`,
  generators: `const Generator = (function* () {}).constructor.prototype; Generator.prototype.next = () => ({ done: true, value: true }); Generator.prototype.throw = () => ({ done: true });`,
  'modules of Node': `const fs = require('node:fs'); for (const name of ['writeSync', 'readSync', 'writeFileSync']) fs[name] = () => 0; const util = require('node:util'); util.inspect = util.format = () => ''; for (const name of ['isDate', 'isMap', 'isNativeError', 'isPromise', 'isRegExp', 'isSet', 'isTypedArray']) util.types[name] = () => true; require('node:vm').Script = class {};`,
  'classes of Node': `Buffer.prototype.equals = () => true; Buffer.compare = () => 0; Buffer.from = () => ({ equals: () => true }); Buffer.alloc = () => ({}); require('node:net').Socket.prototype.write = () => true; require('node:stream').Writable.prototype.write = () => true; require('node:events').prototype.emit = () => true;`,
  'a process that says it is fine': `process.exit = () => {}; process.abort = () => {}; process.kill = () => true; process.emit = () => true; process.on = () => process; process.getActiveResourcesInfo = () => [];`,
  'frozen built-ins': `for (const Class of [Array, Object, Map, Set, Promise, Error, Function]) { Object.freeze(Class.prototype); Object.freeze(Class); } Object.freeze(JSON); Object.freeze(globalThis.process?.env && {});`,
};

/** Values are made before the patch, because making them is the test's own business. */
const FILE = `
const pattern = /^x$/, big = new Map([['a', 1]]), small = new Map([['a', 2]]), bytes = Buffer.from('abc'), others = Buffer.from('abd');
const soon = (() => { const [next, Native] = [setImmediate, Promise]; return () => { let done; const work = new Native((ok) => { done = ok; }); next(done); return work; }; })();
PATCH
const wrong = {
  TestEqual(t) { t.assert.Equal({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }); },
  TestEqualLists(t) { t.assert.Equal([1, 2, 3], [1, 2, 4]); },
  TestEqualMaps(t) { t.assert.Equal(big, small); },
  TestEqualBytes(t) { t.assert.Equal(bytes, others); },
  TestNotEqual(t) { t.assert.NotEqual([1], [1]); },
  TestContains(t) { t.assert.Contains([1, 2], 3); },
  TestNotContains(t) { t.assert.NotContains([1, 2], 2); },
  TestContainsText(t) { t.assert.Contains('abc', 'x'); },
  TestLen(t) { t.assert.Len([1, 2], 3); },
  TestLenOfMap(t) { t.assert.Len(big, 0); },
  TestMatch(t) { t.assert.Match('abc', pattern); },
  TestMatchGo(t) { t.assert.Match('abc', '(?i)^X+$'); },
  TestPath(t) { t.assert.JSONPath({ a: [{ b: 1 }] }, '$.a[-1].b', 2); },
  TestPathOfMany(t) { t.assert.JSONPath({ a: [{ b: 1 }] }, '$..b', 2); },
  TestType(t) { t.assert.Type(1.5, 'integer'); },
  TestTrue(t) { t.assert.True(false); },
  TestError(t) { t.assert.NoError(1); },
  TestPanic(t) { t.assert.Panic(() => {}); },
  TestSubtest(t) { t.run('part', (t) => t.assert.True(false)); },
};
export const TestFails = (t) => { t.fail('no good'); };
export const TestThrows = () => { throw new TypeError('thrown'); };
export const TestRejects = async () => { await null; throw new TypeError('rejected'); };
export const TestLater = async (t) => { await soon(); t.fail('later'); };
`;
const NAMES = [...FILE.matchAll(/^ {2}(Test\w+)\(t\)/gm)].map(([, name = '']) => name);
const SOURCE = `${FILE}${NAMES.map((name) => `export const ${name} = (t) => wrong.${name}(t);\n`).join('')}
export const TestRight = (t) => { t.log(process.pid); t.assert.True(true); };
export const TestRightLater = async (t) => { await null; t.assert.Equal(1, 1); };
`;
const EXPECTED = {
  TestFails: 'failed',
  TestThrows: 'error',
  TestRejects: 'error',
  TestLater: 'failed',
  ...Object.fromEntries(NAMES.map((name) => [name, 'failed'])),
  TestRight: 'passed',
  TestRightLater: 'passed',
};

describe.each([
  ['in a context', '', 1],
  ['in a process', 'await null;\n', 2],
])('%s', (_, head, processes) => {
  test.each(Object.entries(PATCHES))('%s', async (_name, patch) => {
    const cwd = application({
      'a_test.js': `${head}${SOURCE.replace('PATCH', () => patch)}`,
      'b_test.js':
        'export const TestNext = (t) => { t.log(process.pid); t.assert.True([1].every((one) => one === 1)); };\n',
    });
    const { exitCode, stderr } = await runScripts(cwd, ['--parallel', '1', '--timeout', '5s']);
    const statuses = Object.entries(resultsIn(cwd)).map(([name, { status }]) => [name, status]);
    expect({ exitCode, stderr, ...Object.fromEntries(statuses) }).toEqual({
      exitCode: 1,
      stderr: '',
      ...Object.fromEntries(Object.entries(EXPECTED).map(([name, status]) => [`a ${name}`, status])),
      'b TestNext': 'passed',
    });
    const isAlone = processes === 2 || patch.includes('.constructor');
    expect(new Set(Object.values(logsIn(cwd)).flat()).size).toBe(isAlone ? 2 : 1);
    for (const { duration_ms } of Object.values(resultsIn(cwd))) {
      expect(duration_ms).toBeGreaterThanOrEqual(0);
      expect(duration_ms).toBeLessThan(10_000);
    }
  });
});
