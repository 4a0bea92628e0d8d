// Runs a prepared test file in its own process.

import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, RuntimeError } from '../../errors.ts';
import { BoundedOutput } from '../../platform/bounded-output.ts';
import { startGroup } from '../../platform/processes/process-group.ts';
import type { Entry } from './entry.ts';
import { runnerArguments } from './entry.ts';
import { createMessageReader } from './messages.ts';
import type { RunState, Ending } from './supervise.ts';
import { supervise } from './supervise.ts';

/** A run that has ended. */
export type EndedRun = { state: RunState; ending: Ending; stdout: BoundedOutput; stderr: BoundedOutput };

/** How long to read a pipe after the process has exited while another process holds it open: minimum, maximum, step. */
const DRAIN_MS = 250;
const LONGEST_DRAIN_MS = 2000;
const DRAIN_STEP_MS = 50;

/** Runs an entry in its own process group, all of which has ended when this resolves. */
export async function runProcess(
  entry: Entry,
  options: {
    runner: string;
    cwd: string;
    env: Record<string, string> | undefined;
    timeout: number | undefined;
    signal: AbortSignal | undefined;
  },
): Promise<EndedRun> {
  const { runner, cwd, env, timeout, signal } = options;
  const token = randomBytes(16).toString('hex');
  const group = startGroup(process.execPath, [runner, ...runnerArguments('process', token, entry)], {
    cwd,
    env: env && { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let giveUp = (): void => undefined;
  const end = (): void => void group.kill().then(() => giveUp());
  const { state, receive, release } = supervise({ timeout, signal, end });

  const { child } = group;
  const stdout = new BoundedOutput();
  const stderr = new BoundedOutput();
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  // Safe: the fourth entry of `stdio` above is a pipe, which the process only writes to.
  const channel = child.stdio[3] as Readable | null | undefined;
  channel?.setEncoding('utf8');
  channel?.on('data', createMessageReader(token, receive));
  for (const pipe of [child.stdout, child.stderr, channel]) pipe?.on('error', () => undefined);

  try {
    const unkillable = new Promise<Ending>((resolve) => {
      giveUp = () =>
        void sleep(LONGEST_DRAIN_MS, undefined, { ref: false }).then(() =>
          resolve({ code: null, signal: 'SIGKILL' }),
        );
    });
    const ending = await Promise.race([waitForEnd(child, () => stdout.length + stderr.length), unkillable]);
    return { state, ending, stdout, stderr };
  } finally {
    release();
  }
}

/** Resolves when the process has exited and its output is read, or its pipes stay open too long. */
function waitForEnd(child: ChildProcess, received: () => number): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(new RuntimeError(`cannot start ${process.execPath}: ${messageOf(error)}`, { cause: error }));
    });
    child.once('exit', (code, signal) => {
      const ending = { code, signal };
      let seen = -1;
      const latest = performance.now() + LONGEST_DRAIN_MS;
      // At least two checks: this process may have been too busy to read before the first one.
      const giveUpReading = (): void => {
        if (received() === seen || performance.now() > latest) {
          for (const pipe of child.stdio) pipe?.destroy();
          resolve(ending);
          return;
        }
        seen = received();
        timer = setTimeout(giveUpReading, DRAIN_STEP_MS);
      };
      let timer = setTimeout(giveUpReading, DRAIN_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(ending);
      });
    });
  });
}
