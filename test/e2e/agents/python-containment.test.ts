// Python code may hang, crash, print gigabytes, fork and ignore signals: it is contained, and the rest of the run goes on.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ResultEvent } from '../../../src/model/event.ts';
import { assay, folder, readLog, start } from '../support/assay.ts';
import { until } from '../../until.ts';

/** One agent that behaves as the message asks for. */
const AGENT = `
import ctypes, os, re, signal, subprocess, sys, threading, time

def note(text, name="calls.txt"):
    with open(name, "a") as file:
        file.write(text + "\\n")

def answer(messages):
    text = messages[0]["content"]
    note(text)
    if text == "sleeps, hang": time.sleep(1000)
    if text == "loops, hang":
        while True: pass
    if text == "holds the interpreter, hang": re.match("(a+)+$", "a" * 64 + "b")
    if text == "raises": raise TypeError("no idea")
    if text == "leaves": sys.exit(7)
    if text == "exits": os._exit(7)
    if text == "dies": os.kill(os.getpid(), signal.SIGKILL)
    if text == "crashes": ctypes.string_at(0)
    if text == "prints":
        for _ in range(100): print("x" * 1024 * 1024)
        return "printed"
    if text == "prints raw":
        for _ in range(100): os.write(1, b"y" * 1024 * 1024); os.write(2, b"y" * 1024 * 1024)
        return "printed"
    if text == "huge": return "z" * 100 * 1024 * 1024
    if text == "forks and returns twice":
        if os.fork() == 0: return "from the child"
        time.sleep(0.2)
        return "fine, from the parent"
    if text == "forks, hang":
        child = subprocess.Popen(["sh", "-c", "trap '' TERM INT HUP; while :; do sleep 1; done"], start_new_session=True)
        note(str(child.pid) + " " + str(os.getpid()), "forked.txt")
        time.sleep(1000)
    if text == "writes to the channel":
        os.write(3, b"forged\\n")
        time.sleep(1000)
    return "fine"
`;

const TROUBLE = [
  'fine',
  'sleeps, hang',
  'loops, hang',
  'holds the interpreter, hang',
  'raises',
  'leaves',
  'exits',
  'dies',
  'crashes',
  'prints',
  'prints raw',
  'huge',
  'forks and returns twice',
  'writes to the channel',
  'fine again',
];

function casesOf(texts: readonly string[]): unknown[] {
  return texts.map((text) => ({
    id: text,
    input: text,
    assert: { type: 'regex', value: '^(fine|printed)' },
    // The cases that hang have a short timeout; the others may take long on a busy machine.
    ...(text.endsWith('hang') && { timeout: '1s' }),
  }));
}

function brief({ id, status, code, error }: ResultEvent): [string, string] {
  return [id, [status, code, error].filter((part) => part !== undefined).join(' | ')];
}

const ended = (how: string): unknown =>
  expect.stringMatching(
    new RegExp(`^error \\| agent \\| (the agent's process exited with code 1: )?python\\S* ${how}$`),
  );

const EXPECTED = {
  fine: 'passed',
  'sleeps, hang': 'timeout | timeout after 1s',
  'loops, hang': 'timeout | timeout after 1s',
  'holds the interpreter, hang': 'timeout | timeout after 1s',
  raises: 'error | agent | TypeError: no idea',
  leaves: 'error | agent | it called sys.exit(7)',
  exits: ended('exited with code 7'),
  dies: ended('was killed by SIGKILL'),
  crashes: ended('was killed by SIGSEGV'),
  prints: 'passed',
  'prints raw': 'passed',
  huge: 'error | agent | the answer is 100.0 MB long; at most 10 MB can be judged',
  'forks and returns twice': 'passed',
  'writes to the channel': ended('was ended: something else than an answer came over its channel'),
  'fine again': 'passed',
};

const RUN = ['test', '-i', 'cases.jsonl', '-n', 'agent.py', '-o', 'log.jsonl', '--retries', '0'];

test.each([1, 6])('contains everything a function may do, %i at a time', async (parallel) => {
  const cwd = folder({ 'agent.py': AGENT, 'cases.jsonl': casesOf(TROUBLE) });
  const { exitCode, stderr } = await assay([...RUN, '--parallel', String(parallel)], { cwd });

  const log = readLog(join(cwd, 'log.jsonl'));
  expect(Object.fromEntries(log.results.map(brief))).toEqual(EXPECTED);
  expect(log.results).toHaveLength(TROUBLE.length);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
});

test('a call that hangs alone runs once', async () => {
  const texts = ['fine', 'holds the interpreter, hang', 'fine again'];
  const cwd = folder({ 'agent.py': AGENT, 'cases.jsonl': casesOf(texts) });
  await assay(RUN, { cwd });
  expect(readFileSync(join(cwd, 'calls.txt'), 'utf8')).toBe(texts.map((text) => `${text}\n`).join(''));
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect(results.map(({ restarted }) => restarted)).toEqual([undefined, undefined, undefined]);
});

test('a neighbour of a blocked interpreter does not time out', async () => {
  const agent = `
import re, threading, time
barrier = threading.Barrier(2)
def answer(messages):
    text = messages[0]["content"]
    try: barrier.wait(1)
    except threading.BrokenBarrierError: pass
    if text == "blocks": re.match("(a+)+$", "a" * 64 + "b")
    time.sleep(0.1)
    return "fine"
`;
  const cases = ['blocks', 'waits'].map((id) => ({ id, input: id, expected: 'fine' }));
  const cwd = folder({ 'agent.py': agent, 'cases.jsonl': cases });
  await assay([...RUN, '--parallel', '2', '--timeout', '3s'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  const ends = results.map(({ id, status, restarted }) => [id, { status, restarted }]);
  expect(Object.fromEntries(ends)).toEqual({
    blocks: { status: 'timeout', restarted: 1 },
    waits: { status: 'passed', restarted: 1 },
  });
});

test('keeps the head and the tail of what is printed, also until a timeout', async () => {
  const agent = `
import time
def answer(messages):
    for number in range(12): print(str(number) * 1024 * 1024)
    print("last words", flush=True)
    time.sleep(1000)
`;
  const cwd = folder({ 'agent.py': agent, 'cases.jsonl': [{ id: 'a', input: 'x', timeout: '2s' }] });
  await assay(RUN, { cwd });
  const [result] = readLog(join(cwd, 'log.jsonl')).results;
  const logs = result?.logs ?? [];
  expect(result?.status).toBe('timeout');
  expect(logs.at(-1)).toBe('last words');
  expect(logs.join('').length).toBeLessThan(11 * 1024 * 1024);
  expect(logs.filter((line) => line.includes('left out'))).toEqual([
    expect.stringMatching(/^… [\d,]+ characters left out …$/),
  ]);
});

test('nothing that a function has started outlives its run, also if that is killed with SIGKILL', async () => {
  const cwd = folder({ 'agent.py': AGENT, 'cases.jsonl': casesOf(['forks, hang']) });
  await assay(RUN, { cwd });
  await until(() => !pidsIn(cwd).some(isAlive));
  expect(pidsIn(cwd)).toHaveLength(2);

  const other = folder({ 'agent.py': AGENT, 'cases.jsonl': casesOf(['forks, hang', 'loops, hang']) });
  const run = start([...RUN, '--parallel', '2', '--timeout', '60s'], { cwd: other });
  await until(() => pidsIn(other).length === 2);
  run.child.kill('SIGKILL');
  await run.finished;
  await until(() => !pidsIn(other).some(isAlive));
});

test('an import that never ends is a timeout', async () => {
  const cwd = folder({
    'agent.py': 'import time\ndef answer(messages): return 1\ntime.sleep(1000)\n',
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  });
  const { exitCode } = await assay([...RUN, '--timeout', '1s'], { cwd });
  const { results } = readLog(join(cwd, 'log.jsonl'));
  expect({ exitCode, results: results.map(brief) }).toEqual({
    exitCode: 1,
    results: [['a', 'timeout | timeout after 1s']],
  });
});

/** The processes that the agent noted. */
function pidsIn(cwd: string): number[] {
  try {
    return readFileSync(join(cwd, 'forked.txt'), 'utf8').trim().split(/\s+/).map(Number);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    // Dead processes that are not reaped yet are in state Z.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}
