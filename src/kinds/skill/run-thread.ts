// Runs a prepared test file in a thread of this process.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { BoundedOutput } from '../../platform/bounded-output.ts';
import { killTree } from '../../platform/processes/descendants.ts';
import { MARK_NAME, nextMark } from '../../platform/processes/run-mark.ts';
import { isObject } from '../../json/is-object.ts';
import { describeThrown } from './process/describe-thrown.ts';
import type { Entry } from './entry.ts';
import { runnerArguments } from './entry.ts';
import type { Message } from './messages.ts';
import type { EndedRun } from './run-process.ts';
import type { Ending } from './supervise.ts';
import { supervise } from './supervise.ts';

/** A thread in a system call cannot be terminated: stop waiting for it after this time. */
const TERMINATE_MS = 1000;

/** Runs an entry in a new thread with its own module cache, and terminates it at the deadline. */
export async function runThread(
  entry: Entry,
  options: { runner: string; timeout: number | undefined; signal: AbortSignal | undefined },
): Promise<EndedRun> {
  const { runner, timeout, signal } = options;
  const token = randomBytes(16).toString('hex');
  const mark = nextMark();
  const startedAt = performance.now();
  // Without the flags of this process: threads reject some of them (`--input-type`).
  const worker = new Worker(runner, {
    argv: runnerArguments('thread', token, entry),
    execArgv: [],
    env: { ...process.env, [MARK_NAME]: mark.text },
    stdout: true,
    stderr: true,
  });
  let giveUp = (): void => undefined;
  const end = (): void => {
    void worker.terminate();
    giveUp();
  };
  const { state, receive, release } = supervise({ timeout, signal, end });
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
    state.crashed ??= describeThrown(error);
  });

  try {
    const timedOut = new Promise<Ending>((resolve) => {
      giveUp = () =>
        void sleep(TERMINATE_MS, undefined, { ref: false }).then(() => resolve({ code: null, signal: null }));
      if (state.endedFor !== undefined) giveUp();
    });
    const exited = new Promise<Ending>((resolve) => {
      worker.once('exit', (code) => resolve({ code, signal: null }));
    });
    const ending = await Promise.race([exited, timedOut]);
    // Its last output is still in the streams.
    await new Promise((resolve) => void setImmediate(resolve));
    return { state, ending, stdout, stderr };
  } finally {
    release();
    killTree({ pid: undefined, mark, startedAt });
  }
}
