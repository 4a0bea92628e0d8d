// before and after: functions of the user around a case.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog, start } from '../support/assay.ts';
import { until } from '../../until.ts';
import { application, HOOKS, RUN } from '../support/hook-files.ts';

const HOOKED = { before: 'env_test.Before', after: 'env_test.After' };

test('before and after run around a case, and what before returns reaches after', async () => {
  const cwd = application([{ id: 'one', input: 'hello', user: 'eve', ...HOOKED }]);
  const { exitCode } = await assay(RUN, { cwd });
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({
    exitCode: 0,
    calls: ['before one for eve', 'agent hello', 'after | one | one | passed | hello |  | record of one'],
  });
  const [result] = readLog(join(cwd, 'log.jsonl')).results;
  expect(result?.logs).toEqual(['preparing one', 'cleaning one']);
});

test('the next case begins when the after of the one before has ended', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const cwd = application([
    ...ids.map((id) => ({ id: `plain-${id}`, input: `plain-${id}` })),
    ...ids.map((id) => ({ id, input: id, before: 'env_test.Before', after: 'env_test.LongAfter' })),
  ]);
  const { exitCode } = await assay([...RUN, '--runs', '2'], { cwd });
  const around = (id: string): string[] => [
    `before ${id} for test-user`,
    `agent ${id}`,
    `after ${id} begins`,
    `after ${id} ends`,
  ];
  const once = [...ids.map((id) => `agent plain-${id}`), ...ids.flatMap((id) => around(id))];
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({ exitCode: 0, calls: [...once, ...once] });
});

test('after runs whatever became of the case, also when its worker was killed', async () => {
  const cwd = application([
    { id: 'failed', input: 'x', assert: { type: 'equals', value: 'y' }, ...HOOKED },
    { id: 'thrown', input: 'throw', ...HOOKED },
    { id: 'slow', input: 'slow 60000', timeout: '300ms', ...HOOKED },
    { id: 'hung', input: 'hang', timeout: '300ms', ...HOOKED },
  ]);
  const { exitCode } = await assay(RUN, { cwd });
  expect({ exitCode, calls: callsIn(cwd).filter((call) => call.startsWith('after')) }).toEqual({
    exitCode: 1,
    calls: [
      expect.stringMatching(/^after \| failed \| failed \| failed \| x \| .+ \| record of failed$/),
      'after | thrown | thrown | error |  | no | record of thrown',
      'after | slow | slow | timeout |  | timeout after 300ms | record of slow',
      'after | hung | hung | timeout |  | timeout after 300ms | record of hung',
    ],
  });
});

test('a before that fails is an error that could not be measured; the agent is not asked', async () => {
  const cwd = application([
    { id: 'broken', input: 'hello', before: 'env_test.Broken', after: 'env_test.After' },
  ]);
  const { exitCode } = await assay([...RUN, '--retries', '0'], { cwd });
  expect({ exitCode, calls: callsIn(cwd), ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 3,
    calls: ['after | broken | broken | error |  | before env_test.Broken: the database is down | '],
    broken: 'error | harness | before env_test.Broken: the database is down',
  });
});

test('a before that hangs takes the time of its case', async () => {
  const cwd = application([
    { id: 'hung', input: 'hello', before: 'env_test.HangingBefore', timeout: '300ms' },
  ]);
  const { exitCode } = await assay(RUN, { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 3,
    hung: 'error | harness | before env_test.HangingBefore has not ended (still waiting at the timeout after 300ms)',
  });
});

test('after runs after every try', async () => {
  const cwd = application([
    { id: 'flaky', input: 'hello', before: 'env_test.Flaky', after: 'env_test.After' },
  ]);
  const { exitCode } = await assay(RUN, { cwd });
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({
    exitCode: 0,
    calls: [
      'after | flaky | flaky | error |  | before env_test.Flaky: not yet | ',
      'agent hello',
      'after | flaky | flaky | passed | hello |  | at last',
    ],
  });
  expect(readLog(join(cwd, 'log.jsonl')).results).toMatchObject([{ status: 'passed', retries: 1 }]);
});

test('an after that fails makes a pass unproven and leaves a failure what it is', async () => {
  const cwd = application([
    { id: 'good', input: 'x', after: 'env_test.Broken' },
    { id: 'bad', input: 'x', assert: { type: 'equals', value: 'y' }, after: 'env_test.Broken' },
  ]);
  const { exitCode } = await assay(RUN, { cwd });
  const after_error = 'after env_test.Broken: the database is down';
  expect(exitCode).toBe(1);
  expect(readLog(join(cwd, 'log.jsonl')).results).toMatchObject([
    { id: 'good', status: 'error', code: 'harness', error: after_error, after_error, output: 'x' },
    { id: 'bad', status: 'failed', after_error },
  ]);
  // Asking the agent again would change nothing about its hook.
  expect(callsIn(cwd)).toEqual(['agent x', 'agent x']);
});

test('hooks of an assistant are found in its own folder', async () => {
  const cwd = folder({
    'assistants/greeter/package.yao': { name: 'Greeter' },
    'assistants/greeter/src/index.ts': 'function Next() { return { data: "hi" }; }',
    'assistants/greeter/src/env_test.ts': HOOKS,
    'assistants/greeter/tests/cases.jsonl': [{ id: 'one', input: 'x', ...HOOKED }],
  });
  const { exitCode } = await assay(['test', '-i', 'assistants/greeter/tests/cases.jsonl'], { cwd });
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({
    exitCode: 0,
    calls: ['before one for test-user', 'after | one | one | passed | hi |  | record of one'],
  });
});

test('Ctrl-C: after still runs for what was executing', async () => {
  const cwd = application([
    { id: 'slow', input: 'slow 500', ...HOOKED },
    { id: 'next', input: 'next', ...HOOKED },
  ]);
  const run = start([...RUN, '--after-all', 'env_test.AfterAll'], { cwd });
  await until(() => callsIn(cwd).includes('agent slow'));
  run.child.kill('SIGINT');
  const { exitCode } = await run.finished;
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({
    exitCode: 130,
    calls: [
      'before slow for test-user',
      'agent slow',
      'after | slow | slow | passed | slow |  | record of slow',
      'after all next skipped,slow passed,',
    ],
  });
});

test('hooks that run at the same time do not get in each other’s way', async () => {
  const cases = Array.from({ length: 20 }, (_, index) => ({ id: `T${index}`, input: 'x 20', ...HOOKED }));
  const cwd = application(cases);
  const { exitCode } = await assay([...RUN, '--parallel', '10'], { cwd });
  const afters = callsIn(cwd).filter((call) => call.startsWith('after'));
  expect(exitCode).toBe(0);
  expect(new Set(afters)).toEqual(
    new Set(cases.map(({ id }) => `after | ${id} | ${id} | passed | x |  | record of ${id}`)),
  );
  expect(readFileSync(join(cwd, 'log.jsonl'), 'utf8').match(/"cleaning T\d+"/g)).toHaveLength(20);
});

test('a case that runs again because a neighbour hung is cleaned up first', async () => {
  const cwd = application([
    { id: 'good', input: 'good 1500', ...HOOKED },
    { id: 'hung', input: 'hang 300', timeout: '500ms' },
  ]);
  const { exitCode } = await assay([...RUN, '--parallel', '2'], { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    good: 'passed',
    hung: 'timeout | timeout after 500ms',
  });
  expect(callsIn(cwd).filter((call) => /^(before|after)/.test(call))).toEqual([
    'before good for test-user',
    'after | good | good | error |  | the worker process was killed by SIGKILL; the case runs again | record of good',
    'before good for test-user',
    'after | good | good | passed | good |  | record of good',
  ]);
  expect(readLog(join(cwd, 'log.jsonl')).results.find(({ id }) => id === 'good')).toMatchObject({
    restarted: 1,
    logs: ['preparing good', 'cleaning good'],
  });
});

test('an after hook that kills its process is blamed for its own case only', async () => {
  const cases = ['a', 'b', 'c'].map((id) => ({ id, input: 'x', after: 'env_test.SlowAfter' }));
  const cwd = application([...cases, { id: 'crash', input: 'x', after: 'env_test.Crash' }]);
  const { exitCode } = await assay([...RUN, '--parallel', '4'], { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 3,
    a: 'passed',
    b: 'passed',
    c: 'passed',
    crash: 'error | harness | after env_test.Crash: its process was killed by SIGKILL',
  });
});

test('a hook that ends the process, hangs or returns what is no JSON fails by itself', async () => {
  const cwd = application([
    { id: 'exit', input: 'x', after: 'env_test.Exit' },
    { id: 'circle', input: 'x', before: 'env_test.Circle' },
    { id: 'fine', input: 'x', ...HOOKED },
  ]);
  await assay([...RUN, '--retries', '0'], { cwd });
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({
    exit: 'error | harness | after env_test.Exit: it called process.exit(7)',
    circle: expect.stringMatching(
      /^error \| harness \| before env_test\.Circle: returned something that cannot be written as JSON: Conv/,
    ),
    fine: 'passed',
  });
  const hung = await assay([...RUN, '--timeout', '300ms', '--before-all', 'env_test.HangingBefore'], { cwd });
  expect(hung).toMatchObject({
    exitCode: 3,
    stderr: 'nothing was executed: before-all env_test.HangingBefore: timed out after 300ms\n',
  });
});

test('a hook runs once for a case, whatever its neighbours do', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': 'export default (messages) => { while (messages[0].content === "loop"); return "ok"; };',
    'scripts/b.ts': `import { appendFileSync } from 'node:fs';
      function Before(ctx, testCase) { appendFileSync('calls.txt', 'before ' + testCase.id + '\\n') }
      function After(ctx, testCase) { appendFileSync('calls.txt', 'after ' + testCase.id + '\\n') }`,
    'cases.jsonl': ['n1', 'n2', 'n3', 'loop'].map((id) => ({
      id,
      input: id,
      timeout: '1s',
      before: 'scripts.b.Before',
      after: 'scripts.b.After',
    })),
  });
  const { exitCode } = await assay(RUN, { cwd });
  expect(exitCode).toBe(1);
  const calls = callsIn(cwd).sort();
  expect(calls).toEqual(['loop', 'n1', 'n2', 'n3'].flatMap((id) => [`after ${id}`, `before ${id}`]).sort());
});

test('a before hook that returns more than can be sent is not the error of the agent', async () => {
  const cwd = folder({
    'app.yao': '{}',
    'agent.mjs': "export default () => 'x';",
    'scripts/env.ts': "function Big() { return { data: 'x'.repeat(200_000_000) }; }",
    'cases.jsonl': [{ id: 'a', input: 'x', before: 'scripts.env.Big' }],
  });
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0'];
  const { exitCode } = await assay(args, { cwd });
  const [result] = readLog(`${cwd}/log.jsonl`).results;
  expect({ exitCode, code: result?.code, error: result?.error }).toEqual({
    exitCode: 3,
    code: 'harness',
    error: 'before scripts.env.Big: it returned more than 128 MB',
  });
});
