// Functions of the user around cases and around whole runs.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, logIn, readLog, start, until } from '../support/assay.ts';

const AGENT = `
import { appendFileSync } from 'node:fs';
export default async (messages) => {
  const [what, ms] = messages[0].content.split(' ');
  appendFileSync('calls.txt', 'agent ' + what + '\\n');
  if (what === 'throw') throw new Error('no');
  if (ms) await new Promise((done) => setTimeout(done, Number(ms)));
  if (what === 'hang') for (;;);
  return what;
};
`;

/** Notes everything; not one of the functions is exported. */
const HOOKS = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const note = (text: string) => appendFileSync('calls.txt', text + '\\n');
function Before(ctx: any, testCase: any) {
  console.log('preparing ' + testCase.id);
  note('before ' + testCase.id + ' for ' + ctx.User.ID);
  return { made: 'record of ' + testCase.id };
}
async function After(ctx: any, testCase: any, result: any, data: any) {
  console.log('cleaning ' + testCase.id);
  note(['after', testCase.id, result.id, result.status, result.output, result.error, data?.made].join(' | '));
}
function Broken() { throw new Error('the database is down'); }
function Loud() {
  for (let line = 1; line <= 23; line++) console.log('step ' + line);
  throw new Error('the database is down');
}
function HangingBefore() { for (;;); }
function Flaky() {
  if (existsSync('tried')) return { made: 'at last' };
  writeFileSync('tried', '');
  throw new Error('not yet');
}
function BeforeAll(ctx: any, cases: any[]) {
  note('before all ' + cases.map((testCase) => testCase.id).join());
  return { port: 4711 };
}
function AfterAll(ctx: any, results: any[], data: any) {
  const ends = results.map((result) => result.id + ' ' + result.status).sort();
  note('after all ' + [...ends, data?.port].join());
}
async function LongAfter(ctx: any, testCase: any) {
  note('after ' + testCase.id + ' begins');
  await new Promise((done) => setTimeout(done, 50));
  note('after ' + testCase.id + ' ends');
}
async function SlowAfter() { await new Promise((done) => setTimeout(done, 300)); }
async function Crash() {
  await new Promise((done) => setTimeout(done, 100));
  process.kill(process.pid, 'SIGKILL');
}
function Exit() { process.exit(7); }
function Circle() { const circle: any = {}; circle.self = circle; return circle; }
`;

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
const HOOKED = { before: 'env_test.Before', after: 'env_test.After' };

function application(cases: unknown[]): string {
  return folder({ 'agent.mjs': AGENT, 'src/env_test.ts': HOOKS, 'cases.jsonl': cases });
}

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
  const twice = (lines: string[]): string[] => [...lines, ...lines];
  expect({ exitCode, calls: callsIn(cwd) }).toEqual({
    exitCode: 0,
    calls: [...ids.flatMap((id) => twice([`agent plain-${id}`])), ...ids.flatMap((id) => twice(around(id)))],
  });
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

test('what a hook of the run has printed is told if it fails', async () => {
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

test('an after that takes its process along is told apart from its neighbours', async () => {
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
