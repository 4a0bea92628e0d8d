// Agents that work against the program itself: it ends, it counts right, and neighbours do not suffer.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog, start, until } from '../support/assay.ts';

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function cases(...ids: string[]): unknown[] {
  return ids.map((id) => ({ id, input: id }));
}

test.each([
  [
    'fake timers',
    "import { mock } from 'node:test'; mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] });",
  ],
  ['a dead setTimeout', 'globalThis.setTimeout = () => 0; globalThis.setImmediate = () => 0;'],
  ['a clock that stands', 'performance.now = () => 0; Date.now = () => 0;'],
])('an agent with %s still times out', async (_name, prelude) => {
  const agent = `${prelude}\nexport default async (m) => (m[0].content === 'hang' ? new Promise(() => {}) : 'ok');`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases('one', 'hang', 'two') });
  const { exitCode } = await assay([...RUN, '--timeout', '500ms'], { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 1,
    one: 'passed',
    hang: 'timeout | timeout after 500ms',
    two: 'passed',
  });
});

test('an agent that breaks JSON for its whole process ends in errors, not in a hang', async () => {
  const agent = "Object.prototype.toJSON = () => 'x';\nexport default () => 'ok';";
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases('one') });
  const { exitCode } = await assay([...RUN, '--timeout', '500ms'], { cwd });
  expect(exitCode).toBe(1);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ total: 1, failed: 1 });
});

test.each(['garbage\\n', 'null\\n', '{"type":\\n'])(
  'an agent that writes %j to the channel is an error of that case',
  async (text) => {
    const agent = `import { writeSync } from 'node:fs';
export default (m) => { if (m[0].content === 'bad') writeSync(3, '${text}'); return 'ok'; };`;
    const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases('one', 'bad', 'two') });
    const { exitCode, stderr } = await assay(RUN, { cwd });
    expect({ exitCode, stderr, ...endsIn(join(cwd, 'log.jsonl')) }).toMatchObject({
      exitCode: 1,
      stderr: '',
      one: 'passed',
      two: 'passed',
    });
  },
);

test('after Ctrl-C nothing starts any more, even if a worker is blocked', async () => {
  const agent = `import { appendFileSync } from 'node:fs';
export default (m) => { appendFileSync('calls.txt', m[0].content + '\\n'); if (m[0].content === 'spin') for (;;); return 'ok'; };`;
  const ids = Array.from({ length: 300 }, (_, index) => (index === 100 ? 'spin' : `case ${String(index)}`));
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases(...ids) });
  const run = start([...RUN, '--timeout', '2s'], { cwd });
  await until(() => callsIn(cwd).includes('spin'));
  run.child.kill('SIGINT');
  const { exitCode } = await run.finished;
  expect(exitCode).toBe(130);
  expect(callsIn(cwd)).toHaveLength(101);
  // What had just been answered when the worker hung may be lost with it; it is then recorded as not run.
  const { summary } = readLog(join(cwd, 'log.jsonl'));
  expect(summary).toMatchObject({ total: 300, failed: 1, timeouts: 1 });
  expect((summary?.passed ?? 0) + (summary?.skipped ?? 0)).toBe(299);
});

test('a crash that an earlier case left behind is not blamed on the next', async () => {
  const agent = `export default async (m) => {
  if (m[0].content === 'bomb') { setTimeout(() => process.abort(), 30); return 'ok'; }
  await new Promise((done) => setTimeout(done, 150));
  return 'ok';
};`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases('bomb', 'next') });
  const { exitCode } = await assay(RUN, { cwd });
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 0,
    bomb: 'passed',
    next: 'passed',
  });
  expect(readLog(join(cwd, 'log.jsonl')).results[1]).toMatchObject({ id: 'next', restarted: 1 });
});

test('a daemon that holds the pipes of its worker does not hold up the run', async () => {
  const agent = `import { spawn } from 'node:child_process';
export default () => { spawn('sleep', ['8'], { stdio: 'inherit', detached: true }).unref(); for (;;); };`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases('daemon') });
  const began = Date.now();
  await assay([...RUN, '--timeout', '500ms'], { cwd });
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ daemon: 'timeout | timeout after 500ms' });
  expect(Date.now() - began).toBeLessThan(6000);
});

test('what is thrown may be anything', async () => {
  const agent = `Error.prepareStackTrace = (_, frames) => frames;
const hostile = new Error('hostile'); Object.defineProperty(hostile, 'message', { get() { throw new Error('no'); } });
export default (m) => {
  if (m[0].content === 'frames') throw new Error('frames');
  if (m[0].content === 'null') throw null;
  if (m[0].content === 'number') { const e = new Error('n'); e.stack = 10n; throw e; }
  if (m[0].content === 'getter') throw hostile;
  if (m[0].content === 'long') throw new Error('x'.repeat(20e6));
  return 'ok';
};`;
  const cwd = folder({
    'agent.mjs': agent,
    'cases.jsonl': cases('frames', 'null', 'number', 'getter', 'long', 'fine'),
  });
  const { exitCode } = await assay([...RUN, '-o', 'r.xml', '-o', 'r.json', '-o', 'r.md'], { cwd });
  const ends = endsIn(join(cwd, 'log.jsonl'));
  expect(exitCode).toBe(1);
  expect(ends).toMatchObject({
    frames: 'error | agent | frames',
    number: 'error | agent | n',
    fine: 'passed',
  });
  expect(Object.values(ends).filter((end) => end.startsWith('error | agent'))).toHaveLength(5);
  expect(readFileSync(join(cwd, 'log.jsonl')).length).toBeLessThan(1_000_000);
});

test('long inputs and answers are no hang, whatever the timeout', async () => {
  const agent = "export default (m) => (m[0].content === 'answer' ? '\\u0001'.repeat(9e6 / 6) : 'ok');";
  const long = Array.from({ length: 8 }, (_, index) => ({
    id: `long ${String(index)}`,
    input: 'é'.repeat(4_000_000),
  }));
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': [...long, ...cases('answer')] });
  const { exitCode } = await assay([...RUN, '--timeout', '1s', '--parallel', '4'], { cwd });
  expect(exitCode).toBe(0);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({ total: 9, passed: 9 });
});

test('what an attempt does to its context and options does not reach the next one', async () => {
  const cwd = folder({
    'agent.mjs': `export default (messages, ctx) => {
      ctx.metadata.list.push(1);
      ctx.authorized.constraints.extra.list.push(1);
      return [ctx.metadata.list.length, ctx.authorized.constraints.extra.list.length];
    };`,
    'assistants/hooked/package.yao': { options: { response_format: { list: [] } } },
    'assistants/hooked/src/index.ts': `
      function Create(ctx: any, messages: any, options: any) { options.response_format.list.push(1); return null; }
      function Next(ctx: any, payload: any, options: any) { return { data: options.response_format.list.length }; }`,
    'ctx.json': { metadata: { list: [] }, authorized: { constraints: { extra: { list: [] } } } },
    'cases.jsonl': cases('one', 'two', 'three'),
  });
  const outputs = async (...args: string[]): Promise<unknown[]> => {
    await assay([...RUN.slice(0, 3), '-o', 'log.jsonl', ...args], { cwd });
    return readLog(join(cwd, 'log.jsonl')).results.map(({ output }) => output);
  };
  expect(await outputs('-n', './agent.mjs', '--ctx', 'ctx.json')).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect(await outputs('-n', 'hooked')).toEqual([1, 1, 1]);
});
