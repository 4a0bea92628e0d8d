import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AttemptError } from '../../errors.ts';
import { contextWith } from '../../model/context.fixture.ts';
import { openAgent } from '../registry.ts';
import { openDirectory } from '../resolve/directory.ts';
import { until } from '../../../test/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const context = contextWith({});
const messages = [
  { role: 'user', content: 'first' },
  { role: 'assistant', content: 'yes?' },
  { role: 'user', content: [{ type: 'text', text: 'hello' }, { type: 'image' }] },
];

async function ask(command: string[], signal = new AbortController().signal) {
  const agent = await openAgent(
    {
      id: 'a1',
      run: { type: 'command', command, cwd: folder, env: { WORD: 'word' } },
    },
    {
      root: folder,
      directory: openDirectory({ root: folder, cwd: folder, env: {}, learn: () => undefined }),
    },
  );
  return agent.run(messages, context, { env: process.env, fetch, signal });
}

const shell = (script: string, signal?: AbortSignal) => ask(['sh', '-c', script], signal);

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof AttemptError
    ? { code: error.code, message: error.message, logs: error.logs }
    : error;
}

function isRunning(pid: string): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

/** The process ids that a program has written to a file of its folder so far, one per line. */
function pidsIn(file: string): string[] {
  const path = join(folder, file);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

async function untilGone(pids: readonly string[]): Promise<void> {
  await until(() => pids.every((pid) => !isRunning(pid)));
}

test('gets the request as JSON on stdin, in its folder and environment', async () => {
  expect(await shell('cat')).toEqual({ output: { messages, context, input: 'hello' } });
  expect(await shell('echo " $PWD $WORD "; echo')).toEqual({ output: `${folder} word` });
});

test('the answer is JSON, a transcript or text; stderr is kept', async () => {
  expect(await shell('echo 42')).toEqual({ output: 42 });
  expect(
    await shell(`echo '{"output": "x", "usage": {"output_tokens": 2}}'; printf 'one\\ntwo\\n' >&2`),
  ).toEqual({
    output: 'x',
    usage: { output_tokens: 2 },
    logs: ['one', 'two'],
  });
  expect(await shell('true')).toEqual({ output: '' });
});

test('a program that does not read a long request is no problem', async () => {
  const agent = await openAgent(
    {
      id: 'a',
      run: { type: 'command', command: ['sh', '-c', 'echo done'], cwd: folder },
    },
    {
      root: folder,
      directory: openDirectory({ root: folder, cwd: folder, env: {}, learn: () => undefined }),
    },
  );
  const long = [{ role: 'user', content: 'x'.repeat(5_000_000) }];
  const deps = { env: process.env, fetch, signal: new AbortController().signal };
  expect(await agent.run(long, context, deps)).toEqual({ output: 'done' });
});

test('an exit code or a signal is the failure of the agent', async () => {
  expect(await failureOf(shell('echo start >&2; echo "it broke" >&2; exit 3'))).toEqual({
    code: 'agent',
    message: 'sh exited with code 3: it broke',
    logs: ['start', 'it broke'],
  });
  expect(await failureOf(shell('kill -SEGV $$'))).toEqual({
    code: 'agent',
    message: 'sh was ended by SIGSEGV',
    logs: undefined,
  });
  expect(await failureOf(ask(['no-such-program']))).toEqual({
    code: 'harness',
    message: `${join(folder, 'package.yao')}: cannot start no-such-program: there is no such program`,
    logs: undefined,
  });
});

test('a flood is stopped early, in flat memory', async () => {
  const before = process.memoryUsage().rss;
  const error = await failureOf(shell('head -c 1073741824 /dev/zero'));
  expect(error).toEqual({
    code: 'agent',
    message: expect.stringMatching(/^sh printed [\d.]+ [MG]B; at most 10 MB of an answer is read$/),
    logs: undefined,
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test('a flood from a program that ignores SIGTERM is read to its end or killed', async () => {
  const error = await failureOf(shell(`trap '' TERM; head -c 1073741824 /dev/zero`));
  expect(error).toMatchObject({
    code: 'agent',
    message: expect.stringMatching(/at most 10 MB of an answer is read$/),
  });
});

test('at the deadline the attempt ends at once and the whole group soon after', async () => {
  const controller = new AbortController();
  const reason = new Error('too late');
  const script = `trap '' TERM; echo $$ > stubborn; (trap '' TERM; sh -c 'echo $PPID' >> stubborn; while :; do sleep 0.1; done) & while :; do sleep 0.1; done`;
  const failure = failureOf(shell(script, controller.signal));
  await until(() => pidsIn('stubborn').length === 2);
  const aborted = performance.now();
  controller.abort(reason);
  expect(await failure).toBe(reason);
  expect(performance.now() - aborted).toBeLessThan(800);
  await untilGone(pidsIn('stubborn'));
});

test('what a program wrote to stderr goes with the reason of its end', async () => {
  const controller = new AbortController();
  const reason = new Error('too late');
  const work = shell('echo started >&2; touch ready; sleep 60', controller.signal);
  await until(() => existsSync(join(folder, 'ready')));
  // The text is in the pipe by now, and is read before the next immediate.
  await new Promise((done) => setImmediate(done));
  controller.abort(reason);
  await expect(work).rejects.toBe(reason);
  expect(reason).toMatchObject({ logs: ['started'] });
});

test('an answer that is complete waits for no leftover, and the leftover dies', async () => {
  const started = performance.now();
  const script = `(sh -c 'echo $PPID' > leftover; exec sleep 100) & until [ -s leftover ]; do sleep 0.01; done; echo done`;
  expect(await shell(script)).toEqual({ output: 'done' });
  expect(performance.now() - started).toBeLessThan(1500);
  await untilGone(pidsIn('leftover'));
});

test('a pipe held open by a process outside the group does not hang', async () => {
  writeFileSync(
    join(folder, 'escape.mjs'),
    `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
    const child = spawn('sleep', ['3'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
    console.log('done'); child.unref();`,
  );
  const started = performance.now();
  expect(await ask([process.execPath, 'escape.mjs'])).toEqual({ output: 'done' });
  expect(performance.now() - started).toBeLessThan(2500);
});
