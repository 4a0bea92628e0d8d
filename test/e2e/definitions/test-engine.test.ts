// The API for programs that run tests.

import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { assay, write } from '../support/assay.ts';
import { application, suite } from '../support/definition-files.ts';

const API = pathToFileURL(resolve('dist/index.js')).href;

/** What a program prints that uses the package. */
async function program(cwd: string, code: string): Promise<unknown> {
  write(join(cwd, 'program.mjs'), `import { TestEngine } from ${JSON.stringify(API)};\n${code}`);
  const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd });
  return JSON.parse(stdout);
}

test('RunTest gives the report of a test with other values and another user', async () => {
  const cwd = application({
    files: { 'tests/echo.mjs': 'export default (m, ctx) => ({ user: ctx.User.ID, ...ctx.variables });\n' },
  });
  const told = await program(
    cwd,
    `const variables = { Language: 'fr', Count: 3, Loud: true, Since: new Date('2026-05-06T07:08:09Z'), Note: 'a,b=c' };
const { exit_code, summary, results, resolved_variables } = await TestEngine.Instance.RunTest('greeting', { variables }, { ID: 'ann' });
console.log(JSON.stringify([exit_code, summary.passed, results[0].output, resolved_variables.sources, TestEngine.Instance === TestEngine.Instance]));`,
  );
  const output = { Language: 'fr', Count: 3, Loud: true, Since: '2026-05-06T07:08:09.000Z', Note: 'a,b=c' };
  const sources = { Language: 'run', Count: 'run', Loud: 'run', Since: 'run', Note: 'run' };
  expect(told).toEqual([0, 1, { user: 'ann', ...output }, sources, true]);
});

test('RunSuite gives the report of a suite; failures do not throw, a wrong set-up does', async () => {
  const cwd = application({ cases: [{ id: 'a', input: 'x', expected: 'y' }], files: suite() });
  const told = await program(
    cwd,
    `const { exit_code, summary } = await TestEngine.Instance.RunSuite('nightly', { matrix: { Count: [1, 2] }, runs: 2 });
const error = await TestEngine.Instance.RunSuite('nightl').catch((thrown) => thrown);
console.log(JSON.stringify([exit_code, summary.failed, summary.total_runs, error.name, error.message]));`,
  );
  expect(told).toEqual([1, 2, 4, 'ConfigError', expect.stringContaining('did you mean nightly?')]);
});

test('values arrive as they are, and what is no value is refused', async () => {
  const cwd = application({
    files: suite({ options: { failFast: true } }),
    cases: [
      { id: 'a', input: 'x', expected: 'y' },
      { id: 'b', input: 'x' },
    ],
  });
  const told = await program(
    cwd,
    `const engine = TestEngine.Instance;
const long = await engine.RunTest('greeting', { variables: { Note: ' a,b ' + 'x'.repeat(300_000), Count: undefined }, matrix: { Language: ['de', 'fr'] } });
const all = await engine.RunSuite('nightly', { failFast: false });
const errors = [];
for (const options of [{ variables: { Note: 5 } }, { variables: { Note: null } }, { variables: { Since: new Date('x') } }, { varaibles: {} }])
  errors.push(await engine.RunTest('greeting', options).catch((error) => error.name));
console.log(JSON.stringify([long.summary.total, long.results[0].variables.Note.length, all.summary.skipped, errors]));`,
  );
  expect(told).toEqual([4, 300_005, 0, ['ConfigError', 'ConfigError', 'ConfigError', 'ConfigError']]);
});

test('refuses what the command line refuses, with the same problems', async () => {
  const cwd = application({ files: suite() });
  write(join(cwd, 'tests/other.type.json'), {
    id: 'other',
    name: 'Other',
    kind: 'agent-eval',
    variablesSchema: { schemaVersion: '2.0', variables: [] },
  });
  write(join(cwd, 'tests/o.test.json'), {
    id: 'o',
    name: 'O',
    type: 'other',
    cases: [{ id: 'a', input: 'x' }],
  });
  const shown = await assay(['run', 'o'], { cwd });
  const told = await program(
    cwd,
    `const calls = [['o'], ['--help'], ['greeting', { runs: 'x' }], ['greeting', { matrix: { Count: 5 } }], ['greeting', { failFast: 'no' }], ['greeting', {}, {}], ['greeting', { cwd: 5 }], ['greeting', null]];
const errors = [];
for (const call of calls) errors.push(await TestEngine.Instance.RunTest(...call).then(() => 'ran', (error) => error.name + ': ' + error.message));
console.log(JSON.stringify(errors));`,
  );
  expect(shown.exitCode).toBe(2);
  expect(told).toEqual([
    `ConfigError: ${shown.stderr.trim()}`,
    'ConfigError: "--help" is no id of a test or suite',
    'ConfigError: "runs" must be a number',
    'ConfigError: "matrix.Count" must be a list',
    'ConfigError: "failFast" must be true or false',
    'ConfigError: the user must be an id, or an object with "ID" or "id"',
    'ConfigError: "cwd" must be a string',
    'ConfigError: the options must be an object',
  ]);
});
