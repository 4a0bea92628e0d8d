// Runs a program that judges an answer: the answer as JSON on its stdin, its exit and its output back.

import { basename } from 'node:path';
import { formatBytes } from '../../platform/bounded-output.ts';
import { findProgram } from '../../platform/find-program.ts';
import { runProgram } from './run-program.ts';
import { startProblem } from './start-failure.ts';

/** How the program ended; `stderr` has its last lines. */
export type FinishedCheck = {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string[];
};

const KEPT_LINES = 50;

/** Throws if the program cannot be started or prints too much. What it writes to stderr goes to `log`. */
export async function runCheck(
  [name = '', ...args]: readonly string[],
  options: {
    cwd: string;
    env: NodeJS.ProcessEnv;
    input: unknown;
    signal: AbortSignal;
    log(line: string): void;
  },
): Promise<FinishedCheck> {
  const { cwd, env, input, signal, log } = options;
  const program = findProgram(name, { folder: cwd, path: env['PATH'] });
  if (typeof program !== 'string') throw new Error(`cannot start ${name}: ${program.problem}`);

  const { ending, stdout, stderr } = await runProgram([program, ...args], {
    cwd,
    env,
    input: `${JSON.stringify(input)}\n`,
    signal,
    startFailure: (error) => new Error(startProblem(error, { program, cwd }).message, { cause: error }),
  });
  const lines = stderr.lines();
  for (const line of lines) log(line);
  if (stdout.truncated)
    throw new Error(
      `${basename(program)} printed ${formatBytes(stdout.length)}; at most 10 MB of a judgement is read`,
    );
  return { ...ending, stdout: stdout.text(), stderr: lines.slice(-KEPT_LINES) };
}
