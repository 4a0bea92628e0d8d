// What a test function can do with `t` besides asserting: logs, ends, subtests, cleanups, folders and mocks.

import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  application,
  ends,
  lasting,
  logsIn,
  resultsIn,
  runScripts,
  SOURCES,
} from '../support/script-files.ts';

const MEMBERS = `
function TestName(t) { t.log(t.name, t.failed); t.assert.True(true); }
function TestLog(t) { t.log('a', { b: [1] }, 3); t.error('bad', new Date(0)); t.log('%s is %d', 'x', 5); console.log('printed'); console.error('to stderr'); t.assert.True(t.failed); }
function TestErrorBare(t) { t.error(); t.log('went on'); }
function TestErrorInSubtest(t) { t.assert.False(t.run('part', (t) => t.error('in here'))); }
function TestSkip(t) { t.skip('not today'); t.log('never'); }
function TestSkipBare(t) { t.skip(); }
function TestSkipFailed(t) { t.assert.True(false); t.skip('too late'); }
function TestFail(t) { t.fail('no good'); t.log('went on', t.failed); }
function TestFailBare(t) { t.fail(); }
function TestFatal(t) { t.fatal('stop here'); t.log('never'); }
function TestSwallowed(t) { try { t.fatal('seen'); } catch {} try { t.skip('x'); } catch {} t.log('went on'); }
async function TestFatalLater(t) { await null; t.fatal('later'); t.log('never'); }
function TestDetached({ log, skip, name }) { log(name); skip('detached'); }
`;

test('name, failed, log, error, skip, fail and fatal', async () => {
  const cwd = application({ 't_test.ts': MEMBERS });
  const { exitCode } = await runScripts(cwd);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    TestName: 'passed',
    TestLog: 'failed | bad 1970-01-01T00:00:00.000Z',
    TestErrorBare: 'failed | failed',
    TestErrorInSubtest: 'failed | in here',
    TestSkip: 'skipped | skip',
    TestSkipBare: 'skipped | skip',
    TestSkipFailed: 'failed | assertion failed: expected false to be true',
    TestFail: 'failed | no good',
    TestFailBare: 'failed | failed',
    TestFatal: 'failed | stop here',
    TestSwallowed: 'failed | seen',
    TestFatalLater: 'failed | later',
    TestDetached: 'skipped | skip',
  });
  expect(logsIn(cwd)).toEqual({
    TestName: ['TestName false'],
    TestLog: ['a { b: [ 1 ] } 3', 'ERROR: bad 1970-01-01T00:00:00.000Z', 'x is 5', 'printed', 'to stderr'],
    TestErrorBare: ['ERROR: ', 'went on'],
    TestErrorInSubtest: ['ERROR: in here'],
    TestSkip: [],
    TestSkipBare: [],
    TestSkipFailed: [],
    TestFail: ['went on true'],
    TestFailBare: [],
    TestFatal: [],
    TestSwallowed: ['went on'],
    TestFatalLater: [],
    TestDetached: ['TestDetached'],
  });
  const results = resultsIn(cwd);
  expect(lasting(results['TestSkip'])).toEqual({
    id: 'TestSkip',
    run: 1,
    line: 6,
    status: 'skipped',
    reason: 'skip',
    skip_message: 'not today',
    assertions: 0,
  });
  expect(results['TestFatal']?.verdicts).toEqual([
    { type: 'fatal', status: 'failed', message: 'stop here', at: `${SOURCES}/t_test.ts:11:27` },
  ]);
});

const SUBTESTS = `
async function TestParts(t) {
  const order = [];
  const sync = t.run('sync', (t) => { order.push(t.name); t.assert.True(true); t.cleanup(() => order.push('clean')); });
  const later = await t.run('async', async (t, ctx) => { await null; order.push(t.name, ctx.AssistantID); });
  const failed = t.run('fails', (t) => {
    t.assert.Equal(1, 2, 'inner');
    t.run('deep', (t) => { order.push(t.name); t.fatal('deeper'); });
    order.push('after deep');
  });
  t.run('skips', (t) => { t.skip('why not'); });
  t.run('throws', () => { throw new Error('thrown inside'); });
  t.run('sync', (t) => { order.push(t.name); });
  t.log(JSON.stringify([sync, later, failed, t.failed]), JSON.stringify(order));
}
function TestNotAwaited(t) {
  t.run('slow', async (t) => { await new Promise((done) => setTimeout(done, 30)); t.assert.True(false, 'in the end'); });
}
function TestFine(t) { t.run('a', (t) => t.assert.True(true)); }
`;

test('subtests have names, ends and cleanups of their own; a failed one fails its parent, which goes on', async () => {
  const cwd = application({ 'sub_test.ts': SUBTESTS });
  const { exitCode, stdout } = await runScripts(cwd);
  const { TestParts, TestNotAwaited, TestFine } = resultsIn(cwd);
  expect(exitCode).toBe(1);
  expect(TestParts?.logs).toEqual([
    `[true,true,false,true] ${JSON.stringify([
      'TestParts/sync',
      'clean',
      'TestParts/async',
      'expense',
      'TestParts/fails/deep',
      'after deep',
      'TestParts/sync#01',
    ])}`,
  ]);
  const { subtests, logs: _logs, stack, ...parent } = lasting(TestParts);
  expect(stack).toMatch(/^Error: thrown inside\n {4}at assistants\/expense\/src\/sub_test\.ts:12:33/);
  expect(parent).toEqual({
    id: 'TestParts',
    run: 1,
    line: 2,
    status: 'error',
    code: 'agent',
    error: 'thrown inside',
    assertions: 2,
    verdicts: [
      {
        type: 'Equal',
        status: 'failed',
        message: 'inner',
        expected: 2,
        actual: 1,
        at: `${SOURCES}/sub_test.ts:7:14`,
        subtest: 'TestParts/fails',
      },
      {
        type: 'fatal',
        status: 'failed',
        message: 'deeper',
        at: `${SOURCES}/sub_test.ts:8:50`,
        subtest: 'TestParts/fails/deep',
      },
    ],
  });
  expect(subtests).toHaveLength(7);
  expect(TestParts?.subtests?.map(({ name, status, error }) => [name, status, error])).toEqual([
    ['TestParts/sync', 'passed', undefined],
    ['TestParts/async', 'passed', undefined],
    ['TestParts/fails', 'failed', 'assertion failed: inner'],
    ['TestParts/fails/deep', 'failed', 'deeper'],
    ['TestParts/skips', 'skipped', 'why not'],
    ['TestParts/throws', 'error', 'thrown inside'],
    ['TestParts/sync#01', 'passed', undefined],
  ]);
  expect([TestNotAwaited?.status, TestNotAwaited?.error]).toEqual(['failed', 'assertion failed: in the end']);
  expect([TestFine?.status, TestFine?.assertions]).toEqual(['passed', 1]);
  expect(stdout).toMatch(/ {4}✗ fails \(\d+ms\)\n {6}└─ assertion failed: inner\n/);
});

const CLEANUPS = `
import { existsSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
const order = [];
function AfterEach(t) { order.push('AfterEach ' + t.name); }
async function TestOrder(t) {
  t.cleanup(() => order.push('first'));
  t.cleanup(async () => { await new Promise((done) => setTimeout(done, 10)); order.push('second'); });
  t.cleanup(() => { order.push('third'); });
}
function TestAfterThrow(t) { t.cleanup(() => order.push('cleaned up')); throw new Error('x'); }
function TestCleanupThrows(t) { t.cleanup(() => order.push('still')); t.cleanup(() => { throw new Error('broken'); }); }
let folders = [];
function TestTempDir(t) {
  folders = [t.tempDir(), t.tempDir()];
  t.assert.NotEqual(folders[0], folders[1]);
  mkdirSync(join(folders[0], 'deep'));
  writeFileSync(join(folders[0], 'deep', 'x.txt'), 'x');
  t.log(folders[0]);
}
function TestGone(t) { t.assert.Equal(folders.map((folder) => existsSync(folder)), [false, false]); t.log(order.join(', ')); }
`;

test('cleanups run after AfterEach, the last one first, whatever happened; temporary folders are gone', async () => {
  const cwd = application({ 'clean_test.ts': CLEANUPS });
  await runScripts(cwd);
  expect(ends(cwd)).toEqual({
    TestOrder: 'passed',
    TestAfterThrow: 'error | agent | x',
    TestCleanupThrows: 'error | agent | cleanup: broken',
    TestTempDir: 'passed',
    TestGone: 'passed',
  });
  const { TestGone = [], TestTempDir = [] } = logsIn(cwd);
  expect(TestGone).toEqual([
    'AfterEach TestOrder, third, second, first, AfterEach TestAfterThrow, cleaned up, AfterEach TestCleanupThrows, still, AfterEach TestTempDir',
  ]);
  expect(existsSync(TestTempDir[0] ?? '')).toBe(false);
});

const MOCKED = `
import { rate } from './rates';
import { readFileSync } from 'node:fs';
export const convert = (value: number) => value * rate();
export const settings = () => readFileSync('settings.txt', 'utf8');
export const ask = async (url: string) => (await fetch(url)).json();
`;
const MOCKS = `
import { rate } from './rates';
const shop = { price: () => 5, get tax() { return 1; } };
function TestFunctions(t) {
  const double = t.mock.fn((x) => x * 2);
  double.mock.mockImplementationOnce(() => 'once');
  t.assert.Equal([double(1), double(2)], ['once', 4]);
  t.assert.Equal(double.mock.calls.map(({ arguments: args, result }) => [args, result]), [[[1], 'once'], [[2], 4]]);
  t.assert.Equal(double.mock.callCount(), 2);
  t.mock.method(shop, 'price', () => 7);
  t.assert.Equal(shop.price(), 7);
  t.assert.Equal(shop.price.mock.callCount(), 1);
}
function TestMethodIsBack(t) { t.assert.Equal(shop.price(), 5); t.assert.Nil(shop.price.mock); }
async function TestTimers(t) {
  t.mock.timers.enable({ now: 1000 });
  const seen = [];
  setTimeout(() => seen.push('timeout'), 60_000);
  const every = setInterval(() => seen.push('interval'), 25_000);
  t.assert.Equal([Date.now(), new Date().getTime()], [1000, 1000]);
  t.mock.timers.tick(60_000);
  t.assert.Equal(seen, ['interval', 'interval', 'timeout']);
  t.assert.Equal(Date.now(), 61_000);
  clearInterval(every);
}
async function TestTimersAreBack(t) {
  await new Promise((done) => setTimeout(done, 5));
  t.assert.Greater(Date.now(), 1_600_000_000_000);
}
async function TestFetch(t) {
  const fake = t.mock.fetch({ 'GET https://rates.example/eur': { rate: 2 } });
  t.assert.Equal(await ask('https://rates.example/eur'), { rate: 2 });
  t.assert.Equal(fake.mock.callCount(), 1);
  await t.assert.Panic(() => ask('https://other.example/'));
}
async function TestFetchFunction(t) {
  t.mock.fetch((url, init) => new Response(JSON.stringify({ url: String(url) }), { status: 201 }));
  const answer = await fetch('https://a.example/x');
  t.assert.Equal([answer.status, await answer.json()], [201, { url: 'https://a.example/x' }]);
}
function TestModule(t) {
  t.mock.module('./rates', { rate: () => 10 });
  t.mock.module('node:fs', { readFileSync: () => 'mocked' });
  t.assert.Equal([convert(2), rate(), settings()], [20, 10, 'mocked']);
}
function TestModuleIsBack(t) { t.assert.Equal([convert(2), rate()], [6, 3]); t.assert.Panic(settings); }
function TestSubtestOnly(t) {
  t.run('mocked', (t) => { t.mock.method(shop, 'price', () => 9); t.assert.Equal(shop.price(), 9); });
  t.assert.Equal(shop.price(), 5);
}
`;

test('mocks of functions, methods, timers, fetch and modules, all undone after their test', async () => {
  const cwd = application({
    'rates.ts': 'export const rate = () => 3;\n',
    'money.ts': MOCKED,
    'money_test.ts': MOCKS,
  });
  const { exitCode } = await runScripts(cwd);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 0,
    TestFunctions: 'passed',
    TestMethodIsBack: 'passed',
    TestTimers: 'passed',
    TestTimersAreBack: 'passed',
    TestFetch: 'passed',
    TestFetchFunction: 'passed',
    TestModule: 'passed',
    TestModuleIsBack: 'passed',
    TestSubtestOnly: 'passed',
  });
});
