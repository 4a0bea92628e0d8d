// `t.assert.Agent` asks a judging agent of the application; the shipped types know everything that tests use.

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { application, ends, lasting, resultsIn, runScripts } from '../support/script-files.ts';

const JUDGE = `function Next(ctx, { messages }) {
  const { output, criteria } = JSON.parse(messages.at(-1).content);
  if (criteria === 'nonsense') return { data: 'perhaps' };
  if (criteria === 'crash') throw new Error('no mood');
  return { data: { passed: output === criteria, score: 0.5, reason: 'it says ' + output } };
}`;

test('a judging agent approves, disapproves, or is an error', async () => {
  const cwd = application(
    {
      'a_test.ts': `
        async function TestGood(t) { t.assert.True(await t.assert.Agent('polite', 'judge', { criteria: 'polite' })); }
        async function TestBad(t) { await t.assert.Agent('rude', 'agents:judge', { criteria: 'polite' }, 'must be polite'); }
        function TestNotAwaited(t) { t.assert.Agent('rude', 'judge', { criteria: 'polite' }); }
        async function TestNonsense(t) { await t.assert.Agent('x', 'judge', { criteria: 'nonsense' }); t.log('never'); }
        async function TestCrash(t) { await t.assert.Agent('x', 'judge', { criteria: 'crash' }); }
        async function TestNobody(t) { await t.assert.Agent('x', 'jugde', { criteria: 'y' }); }`,
    },
    { 'assistants/judge/package.yao': '{}', 'assistants/judge/src/index.ts': JUDGE },
  );
  const { exitCode } = await runScripts(cwd);
  const { TestNobody, ...told } = ends(cwd);
  expect(told).toEqual({
    TestGood: 'passed',
    TestBad: 'failed | assertion failed: must be polite',
    TestNotAwaited: 'failed | assertion failed: judge does not approve: it says rude',
    TestNonsense: expect.stringMatching(/^error \| judge \| the judge answered "perhaps", but must answer/),
    TestCrash: expect.stringMatching(/^error \| judge \| the judge failed: no mood/),
  });
  expect(TestNobody).toMatch(
    /^error \| judge \| the judge failed: no agent "agents:jugde"; looked for assistants\/jugde/,
  );
  expect(lasting(resultsIn(cwd)['TestBad'])['verdicts']).toEqual([
    {
      type: 'Agent',
      status: 'failed',
      message: 'must be polite',
      expected: 'polite',
      actual: 'rude',
      reason: 'it says rude',
      score: 0.5,
      at: 'assistants/expense/src/a_test.ts:3:52',
    },
  ]);
  expect(exitCode).toBe(1);
});

test('the types of the package fit what tests write', () => {
  const cwd = application(
    {
      'setup_test.ts': `
        function TestTyped(t: testing.T, ctx: agent.Context) {
          const { assert } = t;
          assert.Equal(ctx.User.ID, 'u', 'message');
          t.run('sub', (t) => t.assert.True(true));
          t.cleanup(() => t.log(t.name, t.failed));
          const sum = t.mock.fn((a: number, b: number) => a + b);
          sum(1, 2);
          assert.Equal(sum.mock.calls[0]?.arguments, [1, 2]);
          // @ts-expect-error: there is no such assertion
          assert.Equals(1, 1);
        }
        async function TestMain(m: testing.M) { const code: number = await m.run(); }`,
    },
    {
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'nodenext',
          target: 'es2022',
          types: ['assay/testing'],
        },
        include: ['assistants'],
      }),
    },
  );
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(resolve('.'), join(cwd, 'node_modules', 'assay'));
  const compiler = resolve('node_modules/@typescript/native/bin/tsc');
  expect(execFileSync(process.execPath, [compiler, '-p', cwd], { encoding: 'utf8' })).toBe('');
});
