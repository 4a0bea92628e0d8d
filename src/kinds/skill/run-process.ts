// Runs a prepared test file in its own process.

import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, RuntimeError } from '../../errors.ts';
import { BoundedOutput } from '../../platform/bounded-output.ts';
import { withoutDebugger } from '../../platform/processes/debugger.ts';
import { startGroup } from '../../platform/processes/process-group.ts';
import { waitForEnd } from '../../platform/processes/wait-for-end.ts';
import type { Entry } from './entry.ts';
import { runnerArguments } from './entry.ts';
import { createMessageReader } from './messages.ts';
import { NODE_REPORTER_ARGUMENTS } from './node-reporter.ts';
import type { RunState, Ending } from './supervise.ts';
import { supervise } from './supervise.ts';

/** A run that has ended. */
export type EndedRun = { state: RunState; ending: Ending; stdout: BoundedOutput; stderr: BoundedOutput };

/** How long to wait for the exit of a process that was killed. */
const KILLED_MS = 2000;

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
  const flags = entry.framework === 'node:test' ? NODE_REPORTER_ARGUMENTS : [];
  const args = [...withoutDebugger(), ...flags, runner, ...runnerArguments('process', token, entry)];
  const group = startGroup(process.execPath, args, {
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
        void sleep(KILLED_MS, undefined, { ref: false }).then(() =>
          resolve({ code: null, signal: 'SIGKILL' }),
        );
    });
    const ended = waitForEnd(child, () => stdout.length + stderr.length).catch((error: unknown) => {
      throw new RuntimeError(`cannot start ${process.execPath}: ${messageOf(error)}`, { cause: error });
    });
    const ending = await Promise.race([ended, unkillable]);
    return { state, ending, stdout, stderr };
  } finally {
    release();
  }
}
