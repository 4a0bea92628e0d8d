// Runs a program to its end: text to its stdin, its output back. Its process group ends with it.

import { BoundedOutput } from '../../platform/bounded-output.ts';
import { GRACE_MS, startGroup } from '../../platform/processes/process-group.ts';
import type { ProcessEnding } from '../../platform/processes/wait-for-end.ts';
import { waitForEnd } from '../../platform/processes/wait-for-end.ts';
import { raceSignal } from '../../platform/race.ts';

export type ProgramOptions = {
  cwd: string;
  env: NodeJS.ProcessEnv;
  input: string;
  signal: AbortSignal;
  /** Told as soon as the program runs. */
  started?: () => void;
  /** Makes the error that is thrown if the program cannot be started. */
  startFailure(error: unknown): Error;
};

export type FinishedProgram = { ending: ProcessEnding; stdout: BoundedOutput; stderr: BoundedOutput };

/** Throws if the program cannot be started, or the reason of the signal. A program that prints too much is ended early. */
export async function runProgram(
  [program = '', ...args]: readonly string[],
  { cwd, env, input, signal, started, startFailure }: ProgramOptions,
): Promise<FinishedProgram> {
  const group = start();
  const { child } = group;
  const stdout = new BoundedOutput();
  const stderr = new BoundedOutput();
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout.push(chunk);
    if (stdout.truncated) void group.kill(GRACE_MS);
  });
  // A program may close its stdin without reading it.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);

  const abort = (): void => {
    attachLogs(signal.reason, stderr.lines());
    void group.kill(GRACE_MS);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    const ended = waitForEnd(child, () => stdout.length + stderr.length).catch((error: unknown) => {
      throw startFailure(error);
    });
    return { ending: await raceSignal(ended, signal), stdout, stderr };
  } finally {
    signal.removeEventListener('abort', abort);
  }

  function start(): ReturnType<typeof startGroup> {
    try {
      const opened = startGroup(program, args, { cwd, env, stdio: 'pipe' });
      if (opened.pid !== undefined) started?.();
      return opened;
    } catch (error) {
      throw startFailure(error);
    }
  }
}

/** How a program ended that did not succeed: `exited with code 3: it broke`. */
export function describeEnding({ code, signal }: ProcessEnding, stderr: readonly string[]): string {
  const how = signal === null ? `exited with code ${String(code)}` : `was ended by ${signal}`;
  const last = stderr.findLast((line) => line.trim() !== '');
  return last === undefined ? how : `${how}: ${last.trim()}`;
}

/** Adds the program's stderr to the reason of an abort, which is thrown unchanged otherwise. */
function attachLogs(reason: unknown, logs: string[]): void {
  if (logs.length > 0 && reason instanceof Error && !('logs' in reason)) Object.assign(reason, { logs });
}
