// One test file in a thread of this process: an entry comes in, what became of it goes out.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { BoundedOutput } from '../../platform/bounded-output.ts';
import { isObject } from '../../json/is-object.ts';
import { describeThrown } from './process/describe-thrown.ts';
import type { Entry } from './entry.ts';
import { runnerArguments } from './entry.ts';
import type { Message } from './messages.ts';
import type { EndedRun } from './run-process.ts';
import type { Ending } from './supervise.ts';
import { supervise } from './supervise.ts';

/** A thread that waits for the system cannot be ended before that; nobody waits longer than this. */
const UNENDABLE_MS = 1000;

/** Runs an entry in a new thread, which has a module cache of its own and is ended at the deadline, whatever it does. */
export async function runThread(
  entry: Entry,
  options: { runner: string; timeout: number | undefined; signal: AbortSignal | undefined },
): Promise<EndedRun> {
  const { runner, timeout, signal } = options;
  const token = randomBytes(16).toString('hex');
  // Without the flags of this process: some of them (`--input-type`) are refused in a thread.
  const worker = new Worker(runner, {
    argv: runnerArguments('thread', token, entry),
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  let giveUp = (): void => undefined;
  const end = (): void => {
    void worker.terminate();
    giveUp();
  };
  const { course, receive, release } = supervise({ timeout, signal, end });
  const stdout = new BoundedOutput();
  const stderr = new BoundedOutput();
  worker.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  worker.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  worker.on('message', (value: unknown) => {
    // Only the runner knows the token.
    if (isObject(value) && value['token'] === token) receive(value['message'] as Message);
  });
  worker.on('messageerror', () => undefined);
  worker.on('error', (error) => {
    course.crashed ??= describeThrown(error);
  });

  try {
    const unendable = new Promise<Ending>((resolve) => {
      giveUp = () =>
        void sleep(UNENDABLE_MS, undefined, { ref: false }).then(() => resolve({ code: null, signal: null }));
      if (course.endedFor !== undefined) giveUp();
    });
    const exited = new Promise<Ending>((resolve) => {
      worker.once('exit', (code) => resolve({ code, signal: null }));
    });
    const ending = await Promise.race([exited, unendable]);
    // What it printed last is still on its way through the streams.
    await new Promise((resolve) => void setImmediate(resolve));
    return { course, ending, stdout, stderr };
  } finally {
    release();
  }
}
