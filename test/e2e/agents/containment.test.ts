// User code may hang, crash, print gigabytes, fork and ignore signals: it is contained, and the rest of the run goes on.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, folder, readLog, start } from '../support/assay.ts';
import { until } from '../../until.ts';

/** One agent that behaves as the message asks for. */
const AGENT = `
import { spawn } from 'node:child_process';
import { appendFileSync, writeSync } from 'node:fs';
export default async (messages, ctx) => {
  const text = messages[0].content;
  appendFileSync('calls.txt', text + '\\n');
  if (text === 'sync hang') for (;;);
  if (text === 'async hang') return new Promise(() => {});
  if (text === 'ignores its signal') { for (;;) await new Promise((done) => setTimeout(done, 5)); }
  if (text === 'throws') throw new TypeError('no idea');
  if (text === 'throws later') { setTimeout(() => { throw new Error('too late'); }, 20); return new Promise(() => {}); }
  if (text === 'rejects') { Promise.reject(new Error('nobody cares')); return new Promise(() => {}); }
  if (text === 'exits') process.exit(7);
  if (text === 'dies') process.kill(process.pid, 'SIGKILL');
  if (text === 'prints') { const line = 'x'.repeat(1024 * 1024); for (let i = 0; i < 300; i++) console.log(line); return 'printed'; }
  if (text === 'prints raw') { const line = Buffer.alloc(1024 * 1024, 'y'); for (let i = 0; i < 300; i++) writeSync(1, line); return 'printed'; }
  if (text === 'forks') {
    const child = spawn('sh', ['-c', "trap '' TERM INT HUP; while :; do sleep 1; done"], { stdio: 'inherit' });
    appendFileSync('forked.txt', child.pid + '\\n');
    return new Promise(() => {});
  }
  if (text === 'cycle') { const value = {}; value.self = value; return value; }
  if (text === 'huge') return 'z'.repeat(11 * 1024 * 1024);
  return 'fine';
};
`;

const TROUBLE = [
  'fine',
  'sync hang',
  'async hang',
  'ignores its signal',
  'throws',
  'throws later',
  'rejects',
  'exits',
  'dies',
  'prints',
  'prints raw',
  'cycle',
  'huge',
  'fine again',
];

/** The cases that hang have a short timeout; the others may take long on a busy machine. */
function casesOf(texts: readonly string[]): unknown[] {
  return texts.map((text) => ({
    id: text,
    input: text,
    assert: { type: 'regex', value: 'fine|printed' },
    ...(/hang|ignores/.test(text) && { timeout: '1s' }),
  }));
}

function brief({ id, status, code, error }: ResultEvent): [string, string] {
  return [id, [status, code, error].filter((part) => part !== undefined).join(' | ')];
}

const EXPECTED = {
  fine: 'passed',
  'sync hang': 'timeout | timeout after 1s',
  'async hang': 'timeout | timeout after 1s',
  'ignores its signal': 'timeout | timeout after 1s',
  throws: 'error | agent | no idea',
  'throws later': 'error | agent | too late',
  rejects: 'error | agent | nobody cares',
  exits: 'error | agent | the agent called process.exit(7)',
  dies: "error | agent | the agent's process was killed by SIGKILL",
  prints: 'passed',
  'prints raw': 'passed',
  cycle: expect.stringMatching(
    /^error \| agent \| the answer cannot be written as JSON: Converting circular structure/,
  ),
  huge: 'error | agent | the answer is 11.0 MB long; at most 10 MB can be judged',
  'fine again': 'passed',
};

test.each([1, 6])('contains everything an agent may do, %i at a time', async (parallel) => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf(TROUBLE) });
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
  const { exitCode, stderr } = await assay([...args, '--parallel', String(parallel)], { cwd });

  const log = readLog(join(cwd, 'log.jsonl'));
  expect(Object.fromEntries(log.results.map(brief))).toEqual(EXPECTED);
  expect(log.results).toHaveLength(TROUBLE.length);
  expect(log.summary).toMatchObject({ total: 14, passed: 4, failed: 10, skipped: 0, errors: 7, timeouts: 3 });
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
});

test('an attempt that hangs alone in its worker runs once; those that shared a worker run again', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf(['fine', 'sync hang', 'fine again']) });
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

  await assay(args, { cwd });
  expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe('fine\nsync hang\nfine again\n');
  expect(readLog(join(cwd, 'log.jsonl')).results.map((result) => result.restarted)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);

  await assay([...args, '--parallel', '3'], { cwd });
  const hung = readLog(join(cwd, 'log.jsonl')).results.find((result) => result.id === 'sync hang');
  expect(hung).toMatchObject({ status: 'timeout', restarted: 1 });
});

test('keeps the head and the tail of what is printed, and its length', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf(['prints']) });
  await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'], { cwd });
  const logs = readLog(join(cwd, 'log.jsonl')).results[0]?.logs ?? [];
  const kept = logs.join('').length;
  expect(kept).toBeGreaterThan(5 * 1024 * 1024);
  expect(kept).toBeLessThan(11 * 1024 * 1024);
  expect(logs.filter((line) => line.includes('left out'))).toEqual([
    expect.stringMatching(/^… [\d,]+ characters left out …$/),
  ]);
});

test('children of an agent die with it, even if they ignore signals', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf(['forks']) });
  await assay(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--timeout', '500ms', '-o', 'log.jsonl'], {
    cwd,
  });
  const pid = Number(readFileSync(join(cwd, 'forked.txt'), 'utf8'));
  await until(() => !isAlive(pid));
});

test('no worker outlives a run that was killed with SIGKILL while its agent spins', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf(['forks', 'sync hang']) });
  const run = start(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--parallel', '2', '-o', 'log.jsonl'],
    { cwd },
  );
  await until(() => callsIn(cwd).includes('forks') && callsIn(cwd).includes('sync hang'));
  const pid = Number(readFileSync(join(cwd, 'forked.txt'), 'utf8'));
  run.child.kill('SIGKILL');
  await run.finished;
  await until(() => !isAlive(pid));
});

function callsIn(cwd: string): string {
  try {
    return readFileSync(join(cwd, 'calls.txt'), 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    // The dead that nobody has buried yet are in state Z.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0'];

test('messages before the turn that blocked the worker are kept', async () => {
  const turns = [{ input: 'hello' }, { input: 'block' }];
  const agent = `
    export default (messages) => {
      if (messages.at(-1).content === 'block') for (;;);
      return 'turn ' + messages.length;
    };`;
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': [{ id: 'talk', turns }] });
  const { exitCode } = await assay([...RUN, '--timeout', '500ms'], { cwd });
  const [result] = readLog(join(cwd, 'log.jsonl')).results;
  const { status, error, messages, output, turns: count } = result ?? {};
  expect({ exitCode, status, error, messages, output, count }).toEqual({
    exitCode: 1,
    status: 'timeout',
    error: 'timeout after 500ms',
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'turn 1' },
      { role: 'user', content: 'block' },
    ],
    output: 'turn 1',
    count: 2,
  });
});

test('cases between others that block or kill the worker all run, in their order', async () => {
  const agent = `
    export default (messages) => {
      const [what] = messages[0].content.split(' ');
      if (what === 'loop') for (;;);
      if (what === 'kill') { process.kill(process.pid, 'SIGKILL'); for (;;); }
      return what;
    };`;
  const ids = ['a', 'b', 'loop 1', 'kill 1', 'c', 'd', 'loop 2', 'kill 2', 'e', 'f', 'kill 3'];
  const cases = ids.map((id) => ({ id, input: id }));
  const cwd = folder({ 'agent.mjs': agent, 'cases.jsonl': cases });
  const { exitCode } = await assay([...RUN, '--timeout', '400ms'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const fine = results.filter(({ status }) => status === 'passed').map(({ id }) => id);
  const others = results
    .filter(({ status }) => status !== 'passed')
    .map(({ id, status }) => `${id} ${status}`);
  expect({ exitCode, fine, others: others.toSorted() }).toEqual({
    exitCode: 1,
    fine: ['a', 'b', 'c', 'd', 'e', 'f'],
    others: ['kill 1 error', 'kill 2 error', 'kill 3 error', 'loop 1 timeout', 'loop 2 timeout'],
  });
});
