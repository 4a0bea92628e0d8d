// Tests that attack their worker: they write to its channel, destroy its recovery file, or end the process wherever they can. The run ends,
// every test has a result, and no test of another file is affected.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLog } from '../support/assay.ts';
import { application, ends, resultsIn, runScripts } from '../support/script-files.ts';

const HEAD = `import * as fs from 'node:fs';\nconst passed = { status: 'passed', duration_ms: 1 };\nconst say = (message) => fs.writeSync(3, JSON.stringify(message) + '\\n');\n`;
const WAIT = 'await new Promise((done) => setTimeout(done, 1500));';
const DISTRUSTED =
  "error | agent | the test's process was ended: something else than an answer came over its channel";
const KILLED = "error | agent | the test's process was killed by SIGKILL";
const DIE = `process.kill(process.pid, 'SIGKILL'); while (true) {}`;

type Ends = Record<string, string>;

/** Source and the expected ends of the tests in it. */
const FILES: Record<string, [source: string, ends: Ends]> = {
  'forged results of all tests': [
    `export async function TestForges(t) { say({ type: 'settled', stuck: 0, settled: [1, 2, 3].map((seq) => ({ seq, outcome: passed })) }); ${WAIT} }
     export function TestFails(t) { t.fail('no good'); }`,
    { TestForges: DISTRUSTED, TestFails: 'failed | no good' },
  ],
  'a forged end of the file': [
    `export async function TestForges(t) { say({ type: 'closed' }); ${WAIT} }
     export function TestFails(t) { t.fail('no good'); }`,
    { TestForges: DISTRUSTED, TestFails: 'failed | no good' },
  ],
  'forged secrets, drops and signs of life': [
    `export async function TestSecrets(t) { say({ type: 'secrets', secrets: ['passed', 'failed'] }); ${WAIT} }
     export async function TestDrops(t) { say({ type: 'dropped', seqs: [1, 2, 3, 4, 5] }); ${WAIT} }
     export async function TestProgress(t) { setInterval(() => say({ type: 'progress' }), 50); ${WAIT} }
     export function TestFails(t) { t.fail('no good'); }`,
    {
      TestSecrets: DISTRUSTED,
      TestDrops: DISTRUSTED,
      TestProgress: DISTRUSTED,
      TestFails: 'failed | no good',
    },
  ],
  'messages of wrong shapes': [
    `const shapes = [null, 1, [], {}, { type: 'settled' }, { type: 'settled', settled: [null] }, { type: 'dropped', seqs: 1 }, { type: 'ready', token: {} }, { type: 'constructor' }, { type: '__proto__' }];
     export async function TestNull(t) { say(shapes[0]); ${WAIT} }
     export async function TestNumber(t) { say(shapes[1]); ${WAIT} }
     export async function TestList(t) { say(shapes[2]); ${WAIT} }
     export async function TestEmpty(t) { say(shapes[3]); ${WAIT} }
     export async function TestBare(t) { say(shapes[4]); ${WAIT} }
     export async function TestNothing(t) { say(shapes[5]); ${WAIT} }
     export async function TestNoList(t) { say(shapes[6]); ${WAIT} }
     export async function TestInherited(t) { say(shapes[8]); say(shapes[9]); ${WAIT} }
     export function TestFails(t) { t.fail('no good'); }`,
    {
      ...Object.fromEntries(
        ['Null', 'Number', 'List', 'Empty', 'Bare', 'Nothing', 'NoList', 'Inherited'].map((name) => [
          `Test${name}`,
          DISTRUSTED,
        ]),
      ),
      TestFails: 'failed | no good',
    },
  ],
  'garbage on the channel': [
    `export async function TestGarbage(t) { fs.writeSync(3, '{"type": oops\\n'); ${WAIT} }
     export async function TestNoLine(t) { fs.writeSync(3, 'garbage'); ${WAIT} }
     export async function TestBytes(t) { fs.writeSync(3, Buffer.from([0xff, 0x00, 0x0a])); ${WAIT} }
     export function TestFails(t) { t.fail('no good'); }`,
    { TestGarbage: DISTRUSTED, TestNoLine: DISTRUSTED, TestBytes: DISTRUSTED, TestFails: 'failed | no good' },
  ],
  'a results file of its own making': [
    `export function TestFails(t) { t.fail('no good'); }
     export function TestForges(t) {
       const lines = [1, 2, 3].map((seq) => JSON.stringify({ seq, outcome: passed })).join('\\n') + '\\n{"begun":3}\\n\\0';
       fs.writeSync(4, lines, 0); ${DIE}
     }
     export function TestFailsToo(t) { t.fail('no good'); }`,
    {
      TestFails: 'failed | no good',
      TestForges:
        'error | harness | the worker process was killed by SIGKILL again and again before it came to this case',
      TestFailsToo: 'failed | no good',
    },
  ],
  'forged lines behind its own': [
    `export function TestFails(t) { t.fail('no good'); }
     export function TestForges(t) {
       const { size } = fs.fstatSync(4);
       const kept = Buffer.alloc(size); fs.readSync(4, kept, 0, size, 0);
       const end = kept.indexOf(0);
       fs.writeSync(4, [1, 2, 3].map((seq) => 'x ' + JSON.stringify({ seq, outcome: passed })).join('\\n') + '\\nx {"begun":1}\\n\\0', end); ${DIE}
     }
     export function TestFailsToo(t) { t.fail('no good'); }`,
    { TestFails: 'failed | no good', TestForges: KILLED, TestFailsToo: 'failed | no good' },
  ],
  'the end of the process in a test': [
    `export function TestBefore(t) { t.assert.True(true); }
     export function TestKills(t) { ${DIE} }
     export function TestAfter(t) { t.assert.True(true); }
     export function TestAborts(t) { process.abort(); }
     export async function TestLater(t) { await null; t.cleanup(() => { ${DIE} }); }
     export function TestLast(t) { t.fail('no good'); }`,
    {
      TestBefore: 'passed',
      TestKills: KILLED,
      TestAfter: 'passed',
      TestAborts: `error | agent | the test's process was killed by SIGABRT`,
      TestLater: KILLED,
      TestLast: 'failed | no good',
    },
  ],
  'the end of the process while it is loaded': [
    `${DIE}\nexport function TestOne(t) { t.assert.True(true); }\nexport function TestTwo(t) { t.assert.True(true); }`,
    { TestOne: KILLED, TestTwo: KILLED },
  ],
  'the end of the process in TestMain': [
    `export async function TestMain(m) { ${DIE} }\nexport function TestOne(t) { t.assert.True(true); }`,
    { TestOne: KILLED },
  ],
  'the end of the process behind m.run': [
    `export async function TestMain(m) { await m.run(); ${DIE} }
     export function TestOne(t) { t.assert.True(true); }
     export function TestTwo(t) { t.assert.True(true); }`,
    { TestOne: 'passed', TestTwo: `error | agent | AfterAll: the test's process was killed by SIGKILL` },
  ],
  'the end of the process in AfterAll': [
    `export function AfterAll() { ${DIE} }
     export function TestOne(t) { t.assert.True(true); }
     export function TestTwo(t) { t.assert.True(true); }`,
    { TestOne: 'passed', TestTwo: `error | agent | AfterAll: the test's process was killed by SIGKILL` },
  ],
  'a process that cannot exit': [
    `process.exit = process.reallyExit = process.abort = () => {};
     export function TestExits(t) { process.exit(0); t.assert.True(true); }
     export function TestHangs(t) { while (true) {} }
     export function TestLast(t) { t.fail('no good'); }`,
    { TestExits: 'passed', TestHangs: 'timeout | timeout after 3s', TestLast: 'failed | no good' },
  ],
  'a closed channel': [
    `export async function TestCloses(t) { fs.closeSync(3); ${WAIT} t.assert.True(true); }\nexport function TestLast(t) { t.fail('no good'); }`,
    { TestCloses: 'passed', TestLast: `error | agent | the test's process exited with code 0` },
  ],
  'a closed results file': [
    `export async function TestCloses(t) { t.assert.True(true); fs.closeSync(4); }\nexport function TestLast(t) { t.fail('no good'); }`,
    {
      TestCloses: `error | agent | the test's process exited with code 1: EBADF: bad file descriptor, write`,
      TestLast: 'failed | no good',
    },
  ],
  'built-ins behind the functions of t': [
    `const behind = (value) => value['__pro' + 'to__'];
     export async function TestReaches(t) {
       t.assert.Panic(() => t.run.constructor('return globalThis')());
       const part = t.run('part', async () => {});
       for (const object of [behind(t.run), behind(part), behind(behind(t.run)), behind(t.run).constructor])
         for (const name of ['every', 'call', 'then', 'toString', 'propertyIsEnumerable', 'prototype', 'left']) try { object[name] = () => true; } catch {}
     }
     export async function TestRejects() { await null; throw new Error('no good'); }
     export function TestFails(t) { t.assert.Equal({ a: [1] }, { a: [2] }); }`,
    {
      TestReaches: 'passed',
      TestRejects: 'error | agent | no good',
      TestFails: 'failed | assertion failed: expected { a: [ 1 ] } to equal { a: [ 2 ] }',
    },
  ],
  'a line without an end': [
    `export function TestFloods(t) {
       const piece = Buffer.alloc(1 << 20, 120);
       for (let sent = 0; sent < 700 << 20; ) try { sent += fs.writeSync(3, piece); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
     }
     export function TestLast(t) { t.fail('no good'); }`,
    { TestFloods: DISTRUSTED, TestLast: 'failed | no good' },
  ],
  'the end of all handles': [
    `export async function TestDeaf(t) { for (const handle of process._getActiveHandles()) handle.removeAllListeners('data'); t.assert.True(true); }
     export async function TestDumb(t) { for (const handle of process._getActiveHandles()) handle.destroy(); t.assert.True(true); }
     export function TestLast(t) { t.fail('no good'); }`,
    {
      TestDeaf: 'passed',
      TestDumb: 'passed',
      TestLast: 'failed | no good',
    },
  ],
  'waits without an end': [
    `export async function TestMain(m) { await m.run(); }
     export async function BeforeEach(t) { if (t.name === 'TestSetUp') await new Promise(() => {}); }
     export async function TestSetUp(t) { t.assert.True(true); }
     export async function TestThenable(t) { return { then() {} }; }
     export function TestLast(t) { t.fail('no good'); }`,
    {
      TestSetUp: 'timeout | timeout after 3s',
      TestThenable: 'timeout | timeout after 3s',
      TestLast: 'failed | no good',
    },
  ],
};

test.each(Object.entries(FILES))('%s', async (_name, [source, expected]) => {
  const cwd = application({
    'a_test.js': `${HEAD}${source}`,
    'b_test.js': `export function TestNext(t) { t.assert.True(true); }\nexport function TestWrong(t) { t.assert.True(false); }\n`,
  });
  const { exitCode, stderr } = await runScripts(cwd, ['--parallel', '1', '--timeout', '3s']);
  const { 'b TestNext': next, 'b TestWrong': wrong, ...own } = ends(cwd);
  expect({ exitCode, stderr, next, wrong }).toEqual({
    exitCode: 1,
    stderr: '',
    next: 'passed',
    wrong: 'failed | assertion failed: expected false to be true',
  });
  const told = Object.entries(own).map(([name, end]) => [
    name.replace('a ', ''),
    // Node prints a stack.
    end.replace(/(?<=SIGABRT)[^]*/, ''),
  ]);
  expect(Object.fromEntries(told)).toEqual(expected);
  const { summary, results } = readLog(join(cwd, 'log.jsonl'));
  expect([summary?.total, results.length]).toEqual([told.length + 2, told.length + 2]);
  for (const { duration_ms } of Object.values(resultsIn(cwd))) {
    expect(duration_ms).toBeGreaterThanOrEqual(0);
    expect(duration_ms).toBeLessThan(20_000);
  }
});
