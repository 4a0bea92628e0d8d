// Code that hangs, crashes, exits, prints without end or fails when nobody looks: it costs its own test, and nothing else.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsIn } from '../support/assay.ts';
import { application, ends, logsIn, resultsIn, runScripts, SOURCES } from '../support/script-files.ts';

const NOTE = `import { appendFileSync } from 'node:fs';\nconst note = (line) => appendFileSync('calls.txt', line + '\\n');\n`;

test('an exception is an error with a stack in TypeScript lines', async () => {
  const cwd = application({
    'sum.ts': `\ntype Item = { price: number };\n\nexport function sum(items: Item[] | undefined): number {\n  return (items as Item[]).map((item) => item.price).reduce((a, b) => a + b, 0);\n}\n`,
    'sum_test.ts': `import { sum } from './sum';\n\nfunction TestThrows(t: any) {\n  t.log('before');\n  sum(undefined);\n}\nasync function TestRejects() { await null; throw new RangeError('async', { cause: new Error('deep') }); }\nfunction TestThrowsText() { throw 'a text'; }\nfunction TestThrowsNothing() { throw undefined; }\nfunction TestRejectsLater(t) { return Promise.reject(Object.assign(new Error('coded'), { code: 'E1' })); }\n`,
  });
  const { exitCode, stdout } = await runScripts(cwd);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    TestThrows: "error | agent | TypeError: Cannot read properties of undefined (reading 'map')",
    TestRejects: 'error | agent | RangeError: async (caused by: deep)',
    TestThrowsText: 'error | agent | "a text" was thrown, which is not an Error',
    TestThrowsNothing: 'error | agent | undefined was thrown, which is not an Error',
    TestRejectsLater: 'error | agent | coded',
  });
  const { TestThrows, TestRejects } = resultsIn(cwd);
  expect(TestThrows?.stack).toBe(
    "TypeError: Cannot read properties of undefined (reading 'map')\n" +
      `    at sum (${SOURCES}/sum.ts:5:28)\n    at TestThrows (${SOURCES}/sum_test.ts:5:3)`,
  );
  expect(TestRejects?.stack).toBe(
    `RangeError: async\n    at TestRejects (${SOURCES}/sum_test.ts:7:50)\n` +
      `[cause]: Error: deep\n    at TestRejects (${SOURCES}/sum_test.ts:7:83)`,
  );
  expect(stdout).toContain(
    `    └─ TypeError: Cannot read properties of undefined (reading 'map')\n       at sum (${SOURCES}/sum.ts:5:28)\n       at TestThrows (${SOURCES}/sum_test.ts:5:3)\n`,
  );
});

const LATE = `${NOTE}
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
function TestRejection(t) { note('rejection'); Promise.reject(new Error('nobody looks')); t.assert.True(true); }
function TestQuiet(t) { note('quiet'); t.assert.True(true); }
async function TestDuring(t) { note('during'); setTimeout(() => { throw new Error('in a timer'); }, 5); await sleep(50); t.assert.True(true); }
function TestAfter(t) { note('after'); setTimeout(() => { throw new Error('too late'); }, 5); t.assert.True(true); }
async function TestInnocent(t) { note('innocent'); await sleep(40); t.assert.True(true); }
function TestAsyncAfter(t) { note('async after'); (async () => { await sleep(10); throw new Error('much too late'); })(); t.assert.True(true); }
async function TestInnocentToo(t) { note('innocent too'); await sleep(40); t.assert.True(true); }
function TestAssertLate(t) { note('assert late'); setTimeout(() => t.assert.True(false), 5); t.assert.True(true); }
async function TestLast(t) { note('last'); await sleep(20); t.assert.True(true); }
`;

test('an unhandled rejection, and an exception after the end, belong to the test that caused them', async () => {
  const cwd = application({
    'late_test.ts': LATE,
    'end_test.ts': `function TestEnd(t) { t.assert.True(true); setTimeout(() => { throw new Error('at the very end'); }, 20); }\n`,
    'other_test.ts':
      'async function TestOther(t) { await new Promise((done) => setTimeout(done, 100)); t.assert.True(true); }\n',
  });
  const { exitCode } = await runScripts(cwd, ['--parallel', '1']);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    'late TestRejection': 'error | agent | after it had ended: nobody looks',
    'late TestQuiet': 'passed',
    'late TestDuring': 'error | agent | in a timer',
    'late TestAfter': 'error | agent | after it had ended: too late',
    'late TestInnocent': 'passed',
    'late TestAsyncAfter': 'error | agent | after it had ended: much too late',
    'late TestInnocentToo': 'passed',
    'late TestAssertLate': expect.stringMatching(/^error \| agent \| after it had ended: /),
    'late TestLast': 'passed',
    'end TestEnd': 'error | agent | after it had ended: at the very end',
    'other TestOther': 'passed',
  });
  expect(callsIn(cwd)).toHaveLength(9);
  expect(resultsIn(cwd)['late TestAfter']?.stack).toContain(`${SOURCES}/late_test.ts:8:65`);
});

const STUCK = `${NOTE}
let state = 'fresh';
function BeforeAll() { note('BeforeAll ' + state); state = 'used'; }
function AfterAll() { note('AfterAll'); }
function AfterEach(t) { note('AfterEach ' + t.name); }
function TestFirst(t) { note('first'); t.assert.True(true); console.log('kept'); }
async function TestWaits(t) { note('waits'); t.cleanup(() => note('cleaned')); await new Promise(() => {}); }
function TestSecond(t) { note('second'); t.assert.Equal(state, 'used'); }
function TestSpins(t) { note('spins'); console.log('printed before'); while (true) {} }
function TestThird(t) { note('third'); t.assert.Equal(state, 'used'); }
async function TestSpinsLater(t) { note('spins later'); await null; for (;;) {} }
function TestLast(t) { note('last'); t.assert.True(true); }
`;

test('a test that waits or spins for ever times out; every other test of the file runs exactly once, with BeforeAll again after a kill', async () => {
  const cwd = application({
    'stuck_test.ts': STUCK,
    'fine_test.ts': 'function TestFine(t) { t.assert.True(true); }\n',
  });
  const { exitCode, stdout } = await runScripts(cwd, ['--timeout', '400ms']);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    'fine TestFine': 'passed',
    'stuck TestFirst': 'passed',
    'stuck TestWaits': 'timeout | timeout after 400ms',
    'stuck TestSecond': 'passed',
    'stuck TestSpins': 'timeout | timeout after 400ms',
    'stuck TestThird': 'passed',
    'stuck TestSpinsLater': 'timeout | timeout after 400ms',
    'stuck TestLast': 'passed',
  });
  const once = (name: string, said: string): string[] => [said, `AfterEach ${name}`];
  expect(callsIn(cwd)).toEqual([
    'BeforeAll fresh',
    ...once('TestFirst', 'first'),
    ...once('TestWaits', 'waits'),
    'cleaned',
    ...once('TestSecond', 'second'),
    'spins',
    'BeforeAll fresh',
    ...once('TestThird', 'third'),
    'spins later',
    'BeforeAll fresh',
    ...once('TestLast', 'last'),
    'AfterAll',
  ]);
  expect(logsIn(cwd)['stuck TestFirst']).toEqual(['kept']);
  expect(stdout).toMatch(
    /► \[scripts\.expense\.stuck TestSpins\] \.\.\.\n {2}✗ TIMEOUT \(\d+ms\)\n {4}└─ timeout after 400ms\n/,
  );
});

const CRASHES = `${NOTE}
function BeforeAll() { note('BeforeAll'); }
function TestExits(t) { note('exits'); process.exit(3); }
function TestExitsQuietly(t) { note('exits quietly'); t.assert.True(true); try { process.exit(0); } catch {} }
async function TestExitsLater(t) { note('exits later'); setTimeout(() => process.exit(1), 5); await new Promise((done) => setTimeout(done, 50)); }
function TestBetween(t) { note('between'); t.assert.True(true); }
function TestAborts(t) { note('aborts'); process.abort(); }
function TestAfterAbort(t) { note('after abort'); t.assert.True(true); }
function TestKills(t) { note('kills'); process.kill(process.pid, 'SIGKILL'); while (true) {} }
function TestAfterKill(t) { note('after kill'); t.assert.True(true); }
`;
const HEAP = `
function TestHeap(t) { const held = []; for (;;) held.push(new Array(1e6).fill(held.length)); }
function TestAfterHeap(t) { t.assert.True(true); }
`;

test('process.exit fails its test only; abort, kill and a full heap cost their test only, and nothing runs twice', async () => {
  const cwd = application({ 'crash_test.ts': CRASHES, 'heap_test.ts': HEAP });
  const { exitCode } = await runScripts(cwd, [], { env: { NODE_OPTIONS: '--max-old-space-size=150' } });
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    'crash TestExits': 'error | agent | process.exit(3) was called',
    'crash TestExitsQuietly': 'error | agent | process.exit(0) was called',
    'crash TestExitsLater': 'error | agent | process.exit(1) was called',
    'crash TestBetween': 'passed',
    'crash TestAborts': expect.stringMatching(/^error \| agent \| .*SIGABRT/),
    'crash TestAfterAbort': 'passed',
    'crash TestKills': expect.stringMatching(/^error \| agent \| .*SIGKILL/),
    'crash TestAfterKill': 'passed',
    'heap TestHeap': expect.stringMatching(/^error \| agent \| .*(heap|memory|SIGABRT)/),
    'heap TestAfterHeap': 'passed',
  });
  expect(callsIn(cwd)).toEqual([
    'BeforeAll',
    'exits',
    'exits quietly',
    'exits later',
    'between',
    'aborts',
    'BeforeAll',
    'after abort',
    'kills',
    'BeforeAll',
    'after kill',
  ]);
});

const PRINTS = `
function TestPrints(t) { for (let i = 0; i < 15_000; i += 1) console.log('line ' + i + ' ' + 'x'.repeat(990)); t.assert.True(true); }
function TestQuiet(t) { t.log('still here'); t.assert.True(false); }
`;
const LIMIT = 10 * 1024 * 1024;

test('of more than ten megabytes of logs the middle is left out, in the log and in reports; the screen shows the last lines', async () => {
  const cwd = application({ 'prints_test.ts': PRINTS });
  const { exitCode, stdout } = await runScripts(cwd, ['-v', '-o', 'r.json', '-o', 'r.html']);
  expect({ exitCode, ...ends(cwd) }).toEqual({
    exitCode: 1,
    TestPrints: 'passed',
    TestQuiet: 'failed | assertion failed: expected false to be true',
  });
  const { TestPrints = [], TestQuiet } = logsIn(cwd);
  expect([TestPrints[0]?.slice(0, 8), TestPrints.at(-1)?.slice(0, 12), TestQuiet]).toEqual([
    'line 0 x',
    'line 14999 x',
    ['still here'],
  ]);
  expect(TestPrints.filter((line) => !line.startsWith('line '))).toEqual([
    expect.stringMatching(/^… [\d,]+ characters left out …$/),
  ]);
  for (const name of ['log.jsonl', 'r.json', 'r.html'])
    expect(statSync(join(cwd, name)).size).toBeLessThan(LIMIT * 1.1);
  expect(stdout.length).toBeLessThan(LIMIT / 5);
});

test('the output of a test is kept although its process was killed; stacks have TypeScript lines', async () => {
  const cwd = application({
    'a_test.ts': `
      function TestBefore(t) { console.log(new Error('seen')); }
      function TestLoop(t) { console.log('before the loop'); t.log('and this'); while (true) {} }
      function TestCrash(t) { console.log('before the crash'); process.kill(process.pid, 'SIGKILL'); while (true) {} }`,
  });
  await runScripts(cwd, ['--timeout', '500ms']);
  expect(logsIn(cwd)).toEqual({
    TestBefore: ['Error: seen\n    at TestBefore (assistants/expense/src/a_test.ts:2:44)'],
    TestLoop: ['before the loop', 'and this'],
    TestCrash: ['before the crash'],
  });
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
