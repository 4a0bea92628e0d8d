// Reads the command line, runs the verb it names, and turns the result into an exit code.

import { getEventListeners } from 'node:events';
import type { Command } from 'commander';
import type { WorkerStarter } from '../execute/pool-options.ts';
import { EXIT } from '../model/exit-code.ts';
import { guardStreams, isWriteFailure } from '../platform/standard-streams.ts';
import type { Io } from '../run/io.ts';
import { normaliseArguments } from './arguments.ts';

/** Things that only the entry point has. `exit` ends the process at once. */
export type EntryPoint = { version: string; worker?: WorkerStarter | undefined; exit(code: number): never };

/** Runs the program and gives its exit code. */
export async function main(argv: readonly string[], { version, worker, exit }: EntryPoint): Promise<number> {
  const args = normaliseArguments(argv);
  const { Command, CommanderError } = await import('commander');
  const { describeProblem } = await import('../report/terminal/problems.ts');
  const interrupt = listenForInterrupt(exit);
  const { stdin, stdout, stderr, env } = process;
  const io: Io = { cwd: process.cwd(), env, stdin, stdout, stderr, interrupt, worker, version };
  const streams = guardStreams(stdout, stderr);

  let exitCode: number = EXIT.passed;
  const done = (code: number): void => void (exitCode = code);
  const { defineCommands } = await import('./define.ts');
  const usage: string[] = [];
  const program = defineCommands(new Command(), { version, io, done, usage }, args[0]);
  try {
    await refuseUnknownCommand(program, args, io);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (usage.length > 0) {
        const { explainUnknownOption } = await import('./usage/unknown-words.ts');
        stderr.write(explainUnknownOption(usage.join('')));
      }
      exitCode = error.exitCode === 0 ? EXIT.passed : EXIT.config;
    } else {
      await streams.drain();
      if (!(streams.hasFailed() && isWriteFailure(error))) stderr.write(`${describeProblem(error)}\n`);
      exitCode = exitCodeOfError(error);
    }
  }
  await streams.drain();
  return streams.hasFailed() && exitCode === EXIT.passed ? EXIT.unmeasured : exitCode;
}

/** Says more than the parser about a first word that is no command. */
async function refuseUnknownCommand(program: Command, args: readonly string[], { cwd }: Io): Promise<void> {
  const [word] = args;
  if (word === undefined || ['help', '-h', '--help', '--version'].includes(word)) return;
  if (program.commands.some((command) => command.name() === word)) return;
  const { isOptionOfTest, isUnknownCommand, optionWithoutCommand, unknownCommand } =
    await import('./usage/unknown-words.ts');
  if (isUnknownCommand(word)) throw unknownCommand(args, cwd);
  if (isOptionOfTest(word)) throw optionWithoutCommand(args);
}

function exitCodeOfError(error: unknown): number {
  return error instanceof Error && error.name === 'ConfigError' ? EXIT.config : EXIT.unmeasured;
}

/** The first Ctrl-C asks a run to stop, the second ends the process. Without a run the first one ends it. */
function listenForInterrupt(exit: EntryPoint['exit']): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const isRunning = getEventListeners(controller.signal, 'abort').length > 0;
      if (controller.signal.aborted) exit(EXIT.interrupted);
      if (!isRunning) leave(exit);
      controller.abort();
    });
  }
  return controller.signal;
}

/**
 * `exit` waits for pending file operations, and opening a pipe without a writer never ends. In that case the process ends by the
 * signal itself, which a shell reports as 130 too.
 */
function leave(exit: EntryPoint['exit']): void {
  if (!process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) exit(EXIT.interrupted);
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}
