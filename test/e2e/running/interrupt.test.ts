// Ctrl-C once and twice, SIGTERM, and Ctrl-C before anything runs.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callsIn, endsIn, folder, readLog, start } from '../support/assay.ts';
import { until } from '../../until.ts';

const AGENT = `
import { appendFileSync } from 'node:fs';
export default async (messages) => {
  const [what, ms] = messages[0].content.split(' ');
  appendFileSync('calls.txt', what + '\\n');
  if (ms) await new Promise((done) => setTimeout(done, Number(ms)));
  return what;
};
`;
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

function casesOf(inputs: Record<string, string>): unknown[] {
  return Object.entries(inputs).map(([id, input]) => ({ id, input }));
}

test('Ctrl-C once: what runs is finished, the rest is recorded as interrupted, exit 130', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': casesOf({ quick: 'quick', slow: 'slow 700', next: 'next', last: 'last' }),
  });
  const run = start([...RUN, '-o', 'r.json'], { cwd });
  await until(() => callsIn(cwd).includes('slow'));
  run.child.kill('SIGINT');
  const { exitCode, stdout, stderr } = await run.finished;
  expect({ exitCode, ...endsIn(join(cwd, 'log.jsonl')) }).toEqual({
    exitCode: 130,
    quick: 'passed',
    slow: 'passed',
    next: 'skipped | interrupted',
    last: 'skipped | interrupted',
  });
  expect(callsIn(cwd)).toEqual(['quick', 'slow']);
  expect(readLog(join(cwd, 'log.jsonl')).summary).toMatchObject({
    total: 4,
    passed: 2,
    skipped: 2,
    exit_code: 130,
  });
  expect(stderr).toBe(
    '\nFinishing what is running; Ctrl-C stops it now. Go on later: assay test --resume log.jsonl\n',
  );
  expect(stdout).toContain('○ 2 cases not run (interrupted)\n');
  expect(stdout).toContain('  Go on: assay test --resume log.jsonl\n');
  expect(readdirSync(cwd)).toContain('r.json');
});

test('Ctrl-C once, with --runs and --parallel', async () => {
  const inputs = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`T${String(index)}`, `T${String(index)} 200`]),
  );
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf(inputs) });
  const run = start([...RUN, '--runs', '2', '--parallel', '3'], { cwd });
  await until(() => callsIn(cwd).length >= 4);
  run.child.kill('SIGINT');
  const { exitCode } = await run.finished;
  const { results, summary } = readLog(join(cwd, 'log.jsonl'));
  const ran = results.filter((result) => result.status === 'passed').length;
  expect(exitCode).toBe(130);
  expect(results).toHaveLength(20);
  expect(new Set(results.map((result) => result.key)).size).toBe(20);
  expect(ran).toBe(callsIn(cwd).length);
  expect(ran).toBeLessThan(20);
  expect(summary).toMatchObject({ total: 10, total_runs: ran, exit_code: 130 });
});

test('Ctrl-C twice ends at once, with everything that was started', async () => {
  const cwd = folder({
    'agent.mjs': AGENT,
    'cases.jsonl': casesOf({ quick: 'quick', endless: 'endless 60000' }),
  });
  const run = start(RUN, { cwd });
  await until(() => callsIn(cwd).includes('endless'));
  const before = Date.now();
  run.child.kill('SIGINT');
  // Two signals at the same time are one to a process: the second one is repeated until the run has ended.
  const second = setInterval(() => run.child.kill('SIGINT'), 50);
  const { exitCode } = await run.finished;
  clearInterval(second);
  expect(exitCode).toBe(130);
  expect(Date.now() - before).toBeLessThan(3000);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ quick: 'passed' });
});

test('Ctrl-C of a terminal reaches the whole group, and still what runs is finished', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf({ slow: 'slow 500', next: 'next' }) });
  const run = start(RUN, { cwd, detached: true });
  await until(() => callsIn(cwd).includes('slow'));
  process.kill(-(run.child.pid ?? Number.NaN), 'SIGINT');
  expect((await run.finished).exitCode).toBe(130);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ slow: 'passed', next: 'skipped | interrupted' });
});

test('SIGTERM is taken like Ctrl-C', async () => {
  const cwd = folder({ 'agent.mjs': AGENT, 'cases.jsonl': casesOf({ slow: 'slow 300', next: 'next' }) });
  const run = start(RUN, { cwd });
  await until(() => callsIn(cwd).includes('slow'));
  run.child.kill('SIGTERM');
  expect((await run.finished).exitCode).toBe(130);
  expect(endsIn(join(cwd, 'log.jsonl'))).toEqual({ slow: 'passed', next: 'skipped | interrupted' });
});

test('after Ctrl-C nothing starts any more, even if a worker is blocked', async () => {
  const agent = `import { appendFileSync } from 'node:fs';
export default (m) => { appendFileSync('calls.txt', m[0].content + '\\n'); if (m[0].content === 'spin') for (;;); return 'ok'; };`;
  const ids = Array.from({ length: 300 }, (_, index) => (index === 100 ? 'spin' : `case ${String(index)}`));
  const cwd = folder({
    'agent.mjs': agent,
    'cases.jsonl': casesOf(Object.fromEntries(ids.map((id) => [id, id]))),
  });
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

const FILES = { 'agent.mjs': AGENT, 'cases.jsonl': casesOf({ T1: 'hello' }) };

describe('Ctrl-C before anything runs ends the program', () => {
  test('while stdin is open', async () => {
    const cwd = folder({ ...FILES, 'app.yao': '{}' });
    const input = '{"id": "T1", "input": "hello"}\n';
    const run = start(['test', '-i', '-', '-n', './agent.mjs'], { cwd, input, isStdinOpen: true });
    // Cases from stdin are saved as they come.
    await until(() => savedInput(cwd) === input);
    run.child.kill('SIGINT');
    expect((await run.finished).exitCode).toBe(130);
  });

  test.each([
    ['a pipe that stays empty as input', ['-i', 'pipe.jsonl']],
    ['a pipe that stays empty as context', ['-i', 'cases.jsonl', '--ctx', 'pipe.jsonl']],
  ])('with %s', async (_what, args) => {
    const cwd = folder(FILES);
    execFileSync('mkfifo', [join(cwd, 'pipe.jsonl')]);
    const run = start(['test', ...args, '-n', './agent.mjs'], { cwd });
    await untilRead(join(cwd, 'pipe.jsonl'));
    run.child.kill('SIGINT');
    // A shell shows the signal as 130.
    expect(await run.finished).toMatchObject({ exitCode: null, signal: 'SIGINT' });
  });

  test('while the configuration hangs', async () => {
    const cwd = folder({
      ...FILES,
      'assay.config.ts': `import { writeFileSync } from 'node:fs';
        writeFileSync(${JSON.stringify('loading.txt')}, '');
        await new Promise(() => setInterval(() => {}, 1000));
        export default {};`,
    });
    const run = start(RUN, { cwd });
    await until(() => existsSync(join(cwd, 'loading.txt')));
    run.child.kill('SIGINT');
    expect((await run.finished).exitCode).toBe(130);
  });
});

/** Waits until somebody reads from a named pipe, and keeps it open without writing to it. */
async function untilRead(pipe: string): Promise<void> {
  await until(() => {
    try {
      // Refused (ENXIO) as long as there is no reader.
      const descriptor = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
      onTestFinished(() => closeSync(descriptor));
      return true;
    } catch {
      return false;
    }
  });
}

function savedInput(cwd: string): string | undefined {
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
  const file = names.find((name) => /stdin-[^/]*\.jsonl$/.test(name));
  return file === undefined ? undefined : readFileSync(join(cwd, file), 'utf8');
}
