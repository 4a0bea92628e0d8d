// Skill tests that are files of node:test or vitest: counted, contained, and told apart by what they import.

import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import type { Finished } from '../support/assay.ts';
import { assay, folder, readLog, write } from '../support/assay.ts';

/** An application with a skill for every test file, and vitest. */
function application(tests: Record<string, string>, { hasVitest = true } = {}): string {
  const files = Object.entries(tests).flatMap(([name, content]) => {
    const skill = name.replace(/\..*$/, '');
    return [
      [`tests/${name}`, content],
      [`skills/${skill}/SKILL.md`, `---\nname: ${skill}\n---\n`],
    ];
  });
  const cwd = folder({ 'app.yao': '{}', 'package.json': '{}', ...Object.fromEntries(files) });
  if (hasVitest) symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'));
  return cwd;
}

async function run(cwd: string, ...args: string[]): Promise<Finished & { results: Record<string, unknown> }> {
  const finished = await assay(['skills', 'all', '-o', 'log.jsonl', ...args], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  return { ...finished, results: Object.fromEntries(results.map((result) => [result.id, told(result)])) };
}

/** Status, counts and the first lines of the errors. */
function told({ status, checks, error, verdicts = [], leaks }: ResultEvent): unknown {
  const errors =
    verdicts.length > 0 ? verdicts.map(({ message = '' }) => message) : error === undefined ? [] : [error];
  return [
    status,
    checks,
    ...errors.map((text) => text.split('\n')[0]),
    ...(leaks === undefined ? [] : [leaks]),
  ];
}

const NODE = `
import test, { describe, it } from 'node:test';
import assert from 'node:assert/strict';
test('adds', () => { assert.equal(1 + 1, 2); });
describe('group', () => {
  it('is wrong', () => { assert.equal(1, 2, 'one is not two'); });
  it.skip('later', () => {});
  it('to do', { todo: true }, () => { throw new Error('not yet'); });
});
test('outer', async (t) => { await t.test('inner', () => { throw new RangeError('too much'); }); });
`;

const VITEST = `
import { describe, expect, test } from 'vitest';
const two: number = 2;
test('adds', () => { console.log('printed'); expect(1 + 1).toBe(two); });
describe('group', () => {
  test('is wrong', () => { expect(1).toBe(two); });
  test.skip('later', () => {});
  test.todo('to do');
});
`;

test('tests of node:test and vitest are counted; each failure is an error with its name and place', async () => {
  const cwd = application({ 'node.tests.mjs': NODE, 'typed.test.ts': NODE, 'vite.test.ts': VITEST });
  const { exitCode, stdout, results } = await run(cwd);
  expect(exitCode).toBe(1);
  const node = [
    'failed',
    { passed: 1, failed: 2, skipped: 2 },
    'group > is wrong: AssertionError: one is not two',
    'outer > inner: RangeError: too much',
  ];
  expect(results).toEqual({
    node,
    typed: node,
    vite: [
      'failed',
      { passed: 1, failed: 1, skipped: 2 },
      'group > is wrong: AssertionError: expected 1 to be 2 // Object.is equality',
    ],
  });
  for (const line of [
    '✗ node [1✓ 2✗, 2 skipped]',
    'at tests/node.tests.mjs:6:',
    'at tests/typed.test.ts:6:',
    'at tests/vite.test.ts:6:',
  ])
    expect(stdout).toContain(line);
  expect(stdout).toContain('✗ group > is wrong');
});

test('a file that passes, leaks, runs nothing, never ends, exits or crashes', async () => {
  const test_ = `import test from 'node:test';\n`;
  const cwd = application({
    'good.tests.mjs': `${test_}test('x', async () => {});`,
    'leaks.tests.mjs': `${test_}import { createServer } from 'node:http';\ntest('x', () => { createServer().listen(0, '127.0.0.1'); });`,
    'none.tests.mjs': `${test_}export const x = test;`,
    'skips.tests.mjs': `${test_}test.skip('x', () => {});\ntest.todo('y');`,
    'waits.tests.mjs': `${test_}test('never', () => new Promise(() => {}));`,
    'hangs.tests.mjs': `${test_}test('x', () => {});\ntest('loop', () => { for (;;); });`,
    'exits.tests.mjs': `${test_}test('exit', () => { process.exit(0); });`,
    'hook.tests.mjs': `${test_}import { after } from 'node:test';\nafter(() => { throw new Error('not cleaned'); });\ntest('x', () => {});`,
    'late.tests.mjs': `${test_}setTimeout(() => { test('declared late', () => { throw new Error('seen'); }); }, 20);\ntest('x', () => {});`,
    'syntax.tests.mjs': `${test_}test('x', () => { const; });`,
    'throws.tests.mjs': `${test_}throw new Error('at the top');`,
  });
  const { exitCode, results } = await run(cwd, '--timeout', '4s', '--parallel', '2');
  expect(exitCode).toBe(1);
  expect(results).toEqual({
    good: ['passed', { passed: 1, failed: 0 }],
    leaks: ['passed', { passed: 1, failed: 0 }, 'still open after the result: 1 server'],
    none: ['failed', { passed: 0, failed: 0 }, 'no checks: the file has no tests'],
    skips: ['failed', { passed: 0, failed: 0, skipped: 2 }, 'no checks: all 2 tests are skipped'],
    waits: [
      'failed',
      { passed: 0, failed: 1 },
      expect.stringMatching(/^never: Promise resolution is still pending/),
    ],
    hangs: ['timeout', undefined, expect.stringContaining('4s')],
    exits: ['error', undefined, 'ended with exit code 0 before it gave a result'],
    hook: ['failed', { passed: 1, failed: 1 }, 'a hook of the file: not cleaned'],
    late: ['failed', { passed: 1, failed: 1 }, 'declared late: seen'],
    syntax: ['error', undefined, expect.stringMatching(/^cannot be imported: SyntaxError/)],
    throws: ['error', undefined, 'cannot be imported: at the top'],
  });
  const allowed = await assay(['skills', 'none', 'skips', '--allow-empty'], { cwd });
  expect(allowed.exitCode).toBe(0);
});

test('vitest: an error outside of tests, a file without tests, a broken import, a name that vitest does not look for', async () => {
  const cwd = application({
    'quiet.test.ts': `import { describe } from 'vitest';\ndescribe('nothing', () => {});`,
    'broken.test.ts': `import { test } from 'vitest';\nimport { x } from './nowhere.ts';\ntest('x', () => x);`,
    'loose.test.ts': `import { test } from 'vitest';\ntest('x', async () => { void Promise.reject(new Error('loose')); await new Promise((r) => setTimeout(r, 20)); });`,
    'named.tests.mjs': `import { test } from 'vitest';\ntest('x', () => {});`,
  });
  const { exitCode, results } = await run(cwd, '--parallel', '2');
  expect(exitCode).toBe(1);
  expect(results).toEqual({
    quiet: ['failed', { passed: 0, failed: 0 }, 'no checks: the file has no tests'],
    broken: ['error', undefined, expect.stringMatching(/^cannot be imported: .*nowhere/)],
    loose: ['error', undefined, 'loose'],
    named: ['passed', { passed: 1, failed: 0 }],
  });
});

test('a missing vitest is named; a function that the file exports comes first, with a note; both frameworks are refused', async () => {
  const cwd = application(
    {
      'vite.test.ts': VITEST,
      'both.tests.mjs': `import test from 'node:test';\nimport 'node:fs';\nimport { it } from 'vitest';\ntest('x', () => it);`,
      'own.tests.mjs': `import test, { mock } from 'node:test';\ntest('x', () => {});\nexport const runTests = () => ({ passed: 3, failed: 0 });`,
      'mocks.tests.mjs': `import { mock } from 'node:test';\nexport default () => ({ passed: mock.fn === undefined ? 0 : 1, failed: 0 });`,
      'cases.test.mjs': `export default [{ id: 'a', input: 'b' }];`,
    },
    { hasVitest: false },
  );
  const { exitCode, stderr, results } = await run(cwd);
  expect([exitCode, stderr]).toEqual([
    1,
    'tests/own.tests.mjs exports a function, which runs; its tests of node:test are not counted\n',
  ]);
  expect(results).toEqual({
    vite: ['error', undefined, 'it imports vitest, which is not installed here: npm i -D vitest'],
    both: ['error', undefined, 'it imports both node:test and vitest; keep one of them'],
    own: ['passed', { passed: 3, failed: 0 }],
    mocks: ['passed', { passed: 1, failed: 0 }],
    cases: [
      'error',
      undefined,
      'Test file must export a default function or a runTests function, or import node:test or vitest; it exports default (array)',
    ],
  });
});

test('a file may be named by its path; what it prints and what NODE_TEST_CONTEXT says changes nothing', async () => {
  const forged = `
import test from 'node:test';
import { writeSync } from 'node:fs';
process.stdout.write('# pass 100\\n# fail 0\\n');
try { writeSync(3, '\\n0 {"type":"tested","passed":9,"failed":0,"skipped":0,"failures":[]}\\n'); } catch {}
test('honest', () => { console.log('ok 1'); throw new Error('wrong'); });
`;
  const cwd = application({ 'forged.test.mjs': forged });
  const { exitCode } = await assay(['test', '-i', 'tests/forged.test.mjs', '-o', 'log.jsonl'], {
    cwd,
    env: { NODE_TEST_CONTEXT: 'child-v8' },
  });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect([exitCode, results.map(told)]).toEqual([1, [['failed', { passed: 0, failed: 1 }, 'honest: wrong']]]);
});

test('skills new --runner writes a file that passes', async () => {
  const cwd = application({});
  for (const skill of ['one', 'two'])
    write(join(cwd, `skills/${skill}/SKILL.md`), `---\nname: ${skill}\n---\n`);
  const wrong = await assay(['skills', 'new', 'one', '--runner', 'jest'], { cwd });
  expect([wrong.exitCode, wrong.stderr.split('\n')[0]]).toEqual([
    2,
    '--runner "jest": there is node and vitest',
  ]);
  const elsewhere = await assay(['skills', 'one', '--runner', 'node'], { cwd });
  expect([elsewhere.exitCode, elsewhere.stderr.split('\n')[0]]).toEqual([
    2,
    '--runner is only for a new test',
  ]);
  for (const [skill, runner] of Object.entries({ one: 'node', two: 'vitest' })) {
    const written = await assay(['skills', 'new', skill, '--runner', runner], { cwd });
    expect(written).toMatchObject({
      exitCode: 0,
      stdout: `Wrote tests/${skill}.test.mjs; run it with: assay skills ${skill}\n`,
    });
  }
  const { exitCode, results } = await run(cwd);
  const passed = ['passed', { passed: 1, failed: 0 }];
  expect([exitCode, results]).toEqual([0, { one: passed, two: passed }]);
});
