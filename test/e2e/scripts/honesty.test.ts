// Nothing that did not run looks like a pass, and nothing that was said is lost.

import { expect, test } from 'vitest';
import { assay } from '../support/assay.ts';
import { application, ends, logsIn, runScripts } from '../support/script-files.ts';

test('a name that is declared twice is an error at its place, and the other files run', async () => {
  const cwd = application({
    'dup_test.ts': `function TestA(t) { t.assert.True(false); }\nfunction helper() {}\nfunction helper() {}\n`,
    'good_test.ts': `function TestGood(t) { t.assert.True(true); }`,
    'none_test.ts': `describe('x', () => {});`,
  });
  const { exitCode, stderr } = await runScripts(cwd);
  expect(stderr).toContain(
    'expense/src/none_test.ts has no test functions; they are at the top level, and their names start with Test\n',
  );
  expect(ends(cwd)).toEqual({
    'dup [build failed]':
      "error | agent | assistants/expense/src/dup_test.ts:3: Identifier 'helper' has already been declared\n3 | function helper() {}",
    'good TestGood': 'passed',
  });
  expect(exitCode).toBe(1);
});

test('a body that nobody runs and a TestMain that ends badly are no passes', async () => {
  const cwd = application({
    'a_test.ts': `
      export function* TestGenerator(t) { t.assert.True(false); }
      export async function* TestAsyncGenerator(t) { t.assert.True(false); }`,
    'b_test.ts': `
      async function TestMain(m) { await m.run(); process.exit(2); }
      function TestFine(t) { t.assert.True(true); }`,
    'c_test.ts': `
      async function TestMain(m) { process.exit(await m.run()); }
      function TestFine(t) { t.assert.True(true); }`,
  });
  const { exitCode } = await runScripts(cwd);
  const generator = 'is a generator, whose body would never run; write a function or an async function';
  expect(ends(cwd)).toEqual({
    'a TestGenerator': `error | agent | TestGenerator ${generator}`,
    'a TestAsyncGenerator': `error | agent | TestAsyncGenerator ${generator}`,
    'b TestFine': 'error | agent | TestMain: process.exit(2) was called',
    'c TestFine': 'passed',
  });
  expect(exitCode).toBe(1);
});

test('what a test printed is known although its process had to be killed; stacks are told in TypeScript lines', async () => {
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

test('a file of tests may be named by its path', async () => {
  const cwd = application({
    'deep/a_test.ts': `function TestA(t, ctx) { t.assert.Equal(ctx.AssistantID, 'expense'); }`,
  });
  const { exitCode, stdout } = await assay(
    ['test', '-i', 'assistants/expense/src/deep/a_test.ts', '-o', 'log.jsonl'],
    { cwd },
  );
  expect([exitCode, stdout.split('\n')[1]]).toEqual([0, '  Script Test: scripts.expense.deep.a']);
});
