// --before-all and --after-all: functions of the user around a whole run.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, logIn, readLog, start } from '../support/assay.ts';
import { until } from '../../until.ts';
import { AGENT, application, RUN } from '../support/hook-files.ts';

test('--before-all and --after-all run once around everything', async () => {
  const cwd = application([
    { id: 'one', input: 'a' },
    { id: 'two', input: 'b', assert: { type: 'equals', value: 'c' } },
    { id: 'three', input: 'c', tags: ['other'] },
  ]);
  const all = ['--before-all', 'env_test.BeforeAll', '--after-all', 'env_test.AfterAll'];
  const { exitCode } = await assay([...RUN, '--run', 'o', ...all], { cwd });
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({
    exitCode: 1,
    calls: ['before all one,two', 'agent a', 'agent b', 'after all one passed,two failed,4711'],
  });
  const { flags } = readLog(join(cwd, 'log.jsonl')).start;
  expect(flags).toMatchObject({ before_all: 'env_test.BeforeAll', after_all: 'env_test.AfterAll' });
});

test('a --before-all that fails: nothing is executed, and no log is left behind', async () => {
  const cwd = application([{ id: 'one', input: 'a' }]);
  const { exitCode, stderr } = await assay([...RUN, '--before-all', 'env_test.Broken'], { cwd });
  expect({ exitCode, stderr, calls: callsIn(cwd), isLogged: existsSync(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 3,
    stderr: 'nothing was executed: before-all env_test.Broken: the database is down\n',
    calls: [],
    isLogged: false,
  });
});

test('the output of a run hook is shown if it fails', async () => {
  const cwd = application([{ id: 'one', input: 'a' }]);
  const steps = Array.from({ length: 20 }, (_, index) => `  step ${index + 4}\n`).join('');
  const printed = `the database is down; it printed:\n  … (3 lines before)\n${steps}`;
  for (const more of [[], ['-v']]) {
    const before = await assay([...RUN, '--before-all', 'env_test.Loud', ...more], { cwd });
    expect(before.stderr).toBe(`nothing was executed: before-all env_test.Loud: ${printed}`);
    const after = await assay([...RUN, '--after-all', 'env_test.Loud', ...more], { cwd });
    expect(after.stderr).toBe(`after-all env_test.Loud: ${printed}`);
  }
});

test('an --after-all that fails is exit 3, unless something worse is known', async () => {
  const good = application([{ id: 'one', input: 'a' }]);
  const first = await assay([...RUN, '--after-all', 'env_test.Broken'], { cwd: good });
  expect(first).toMatchObject({
    exitCode: 3,
    stderr: 'after-all env_test.Broken: the database is down\n',
  });
  expect(endsIn(join(good, 'log.jsonl'))).toEqual({ one: 'passed' });

  const bad = application([{ id: 'one', input: 'throw' }]);
  const second = await assay([...RUN, '--after-all', 'env_test.Broken'], { cwd: bad });
  expect(second.exitCode).toBe(1);
});

test('hooks of a run are checked before anything runs, and not called by --dry-run', async () => {
  const cwd = application([{ id: 'one', input: 'a' }]);
  const { exitCode, stderr } = await assay(
    [...RUN, '--before-all', 'env_test.BeforAll', '--after-all', 'scripts.none.AfterAll'],
    { cwd },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    '--before-all: env_test.BeforAll: no function "BeforAll" in src/env_test.ts; did you mean "BeforeAll"?\n',
  );
  expect(stderr).toContain('--after-all: scripts.none.AfterAll: no such script');
  const dry = await assay(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--dry-run', '--before-all', 'env_test.BeforeAll'],
    { cwd },
  );
  expect({ exitCode: dry.exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 0, calls: [] });
});

test('a resumed run has the same hooks', async () => {
  const cwd = application([
    { id: 'slow', input: 'slow 300' },
    { id: 'next', input: 'next' },
  ]);
  const run = start(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--after-all', 'env_test.AfterAll'], {
    cwd,
  });
  await until(() => callsIn(cwd).includes('agent slow'));
  run.child.kill('SIGINT');
  await run.finished;
  const resumed = await assay(['test', '--resume', logIn(cwd)], { cwd });
  expect({ exitCode: resumed.exitCode, calls: callsIn(cwd) }).toEqual({
    exitCode: 0,
    calls: [
      'agent slow',
      'after all next skipped,slow passed,',
      'agent next',
      'after all next passed,slow passed,',
    ],
  });
});

test('an error message of any size ends a run hook', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': [{ id: 'a', input: 'x' }],
    'scripts/h.ts': "function BigThrow() { throw new Error('\\u0001'.repeat(9.5e7)); }",
    'app.yao': '{}',
  });
  const { exitCode, stderr } = await assay([...RUN, '--before-all', 'scripts.h.BigThrow'], { cwd });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('nothing was executed: before-all scripts.h.BigThrow');
  expect(stderr).toContain('(95000000 characters)');
});

test('Ctrl-C while --before-all runs is an interruption', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': AGENT,
    'cases.jsonl': [{ id: 'a', input: 'x' }],
    'scripts/b.ts': `import { appendFileSync } from 'node:fs';
      function Never() { appendFileSync('calls.txt', 'called\\n'); return new Promise(() => {}) }`,
  });
  const { child, finished } = start(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--before-all', 'scripts.b.Never', '--timeout', '2s'],
    { cwd },
  );
  await until(() => callsIn(cwd).length > 0);
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(130);
});
