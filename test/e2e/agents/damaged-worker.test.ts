// An agent may break the process it runs in: timers, the clock, JSON, the channel to the program, its stack traces.
// The run still ends, counts right, and other cases do not suffer.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, callsIn, endsIn, folder, readLog } from '../support/assay.ts';

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

test.each(['1', '3'])(
  'an agent that overwrites the recovery file and dies is tried no more than twice, %s at a time',
  async (parallel) => {
    const agent = `import { appendFileSync, writeSync } from 'node:fs';
export default (m) => {
  appendFileSync('calls.txt', m[0].content + '\\n');
  if (m[0].content !== 'bad') return 'ok';
  writeSync(4, 'x'.repeat(1000), 0);
  process.kill(process.pid, 'SIGKILL');
  for (;;);
};`;
    const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases('one', 'bad', 'two') });
    const { exitCode } = await assay([...RUN, '--parallel', parallel], { cwd });
    expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
      exitCode: 1,
      one: 'passed',
      bad: "error | agent | the agent's process was killed by SIGKILL",
      two: 'passed',
    });
    expect(callsIn(cwd).filter((call) => call === 'bad').length).toBeLessThanOrEqual(2);
  },
);

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

test('an agent may throw any value', async () => {
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

test('a stack that is no text does not stop the run', async () => {
  const cwd = folder({
    'agent.mjs': `export default () => {
      Error.prepareStackTrace = (_, sites) => sites.map(String);
      throw new Error('thrown');
    };`,
    'cases.jsonl': [{ id: 'a', input: 'hi' }],
  });
  const { exitCode } = await assay(RUN, { cwd });
  expect(exitCode).toBe(1);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ a: 'error | agent | thrown' });
});
