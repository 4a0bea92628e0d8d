// Whatever has a `then` is waited for, as the language does it: in tests, hooks and assertions.

import { expect, test } from 'vitest';
import { application, ends, runScripts } from '../support/script-files.ts';

const FILE = `
const later = (work) => { setTimeout(work, 20); };
const resolved = { then(ok) { later(ok); } };
const rejected = { then(_ok, no) { later(() => no(new Error('no good'))); } };
class Lazy extends Promise { then(...args) { Lazy.started = true; return super.then(...args); } }
class Quiet { then(ok, no) { later(() => no(new Error('no good'))); return undefined; } }
let isReady = false;
export function BeforeAll() { return { then(ok) { later(() => { isReady = true; ok(); }); } }; }
export function TestReady(t) { t.assert.True(isReady); }
export function TestResolves(t) { t.cleanup(() => resolved); t.assert.True(true); return resolved; }
export function TestRejects() { return rejected; }
export function TestClass() { return new Quiet(); }
export function TestFunction() { return Object.assign(() => {}, { then: rejected.then }); }
export function TestNested() { return { then(ok) { later(() => ok(rejected)); } }; }
export function TestThrows() { return { then() { throw new Error('no good'); } }; }
export function TestGetter() { return { get then() { throw new Error('no good'); } }; }
export function TestTwice(t) { return { then(ok, no) { ok(); no(new Error('too late')); } }; }
export async function TestSubclass(t) { const lazy = new Lazy((ok) => later(ok)); t.cleanup(() => t.assert.True(Lazy.started)); return lazy; }
export function TestNoFunction() { return { then: 1 }; }
export function TestCleanup(t) { t.cleanup(() => rejected); }
export async function TestSubtest(t) { t.assert.False(await t.run('part', () => rejected)); }
export async function TestPanic(t) { await t.assert.Panic(() => rejected); await t.assert.NoPanic(() => resolved); t.assert.Panic(() => resolved); }
`;

test.each([
  ['in a context', ''],
  ['in a process', 'await null;\n'],
])('thenables %s', async (_, head) => {
  const cwd = application({ 'a_test.js': `${head}${FILE}` });
  await runScripts(cwd, ['--timeout', '5s']);
  expect(ends(cwd)).toEqual({
    TestReady: 'passed',
    TestResolves: 'passed',
    TestRejects: 'error | agent | no good',
    TestClass: 'error | agent | no good',
    TestFunction: 'error | agent | no good',
    TestNested: 'error | agent | no good',
    TestThrows: 'error | agent | no good',
    TestGetter: 'error | agent | no good',
    TestTwice: 'passed',
    TestSubclass: 'passed',
    TestNoFunction: 'passed',
    TestCleanup: 'error | agent | cleanup: no good',
    TestSubtest: 'error | agent | no good',
    TestPanic: 'failed | assertion failed: expected the function to throw',
  });
});
