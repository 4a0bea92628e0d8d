// Reads the command line, runs the command it names, and turns whatever happens into an exit code.

import { getEventListeners } from 'node:events';
import type { WorkerStarter } from '../execute/pool-options.ts';
import { EXIT } from '../model/exit-code.ts';
import { normaliseArguments } from './arguments.ts';
import type { TestFlags } from '../run/request.ts';
import type { Io } from '../run/io.ts';
import { guardStreams, isWriteFailure } from '../platform/standard-streams.ts';

/** What only the entry point has. `exit` ends the process at once. */
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

  const { defineCommands } = await import('./define.ts');
  const program = defineCommands(
    new Command(),
    {
      version,
      async test(flags: TestFlags) {
        const { testCommand } = await import('./test.ts');
        exitCode = await testCommand(flags, io);
      },
      async run(tests, flags) {
        const { testCommand } = await import('./test.ts');
        exitCode = await testCommand({ ...flags, selection: { tests } }, io);
      },
      async suite(suite, flags) {
        const { testCommand } = await import('./test.ts');
        exitCode = await testCommand({ ...flags, selection: { suite } }, io);
      },
      async skills(words, flags) {
        const { skillsCommand } = await import('./skills/skills.ts');
        exitCode = await skillsCommand(words, flags, io);
      },
      async list(id, flags) {
        const { listCommand } = await import('./list.ts');
        exitCode = await listCommand(id, flags, io);
      },
      async validate(flags) {
        const { validateCommand } = await import('./validate.ts');
        exitCode = await validateCommand(flags, io);
      },
      async importLogs(logs, flags) {
        const { importCommand } = await import('./history.ts');
        exitCode = await importCommand(logs, flags, io);
      },
      async history(test, flags) {
        const { historyCommand } = await import('./history.ts');
        exitCode = await historyCommand(test, flags, io);
      },
      async show(run, flags) {
        const { showCommand } = await import('./history.ts');
        exitCode = await showCommand(run, flags, io);
      },
      async compare(runs, flags) {
        const { compareCommand } = await import('./compare.ts');
        exitCode = await compareCommand(runs, flags, io);
      },
      async prune(flags) {
        const { pruneCommand } = await import('./history.ts');
        exitCode = await pruneCommand(flags, io);
      },
      async report(log, options) {
        const { reportCommand } = await import('./report.ts');
        exitCode = await reportCommand(log, options, io);
      },
      async view(flags) {
        const { viewCommand } = await import('./view.ts');
        exitCode = await viewCommand(flags, io);
      },
      async listTapes(folder, flags) {
        const { listTapes } = await import('./tapes.ts');
        exitCode = await listTapes(folder, flags, io);
      },
      async pruneTapes(folder, flags) {
        const { pruneTapes } = await import('./tapes.ts');
        exitCode = await pruneTapes(folder, flags, io);
      },
      async diffTapes(before, after, flags) {
        const { diffTapes } = await import('./tapes-diff.ts');
        exitCode = await diffTapes(before, after, flags, io);
      },
      async completion(shell) {
        const { completionCommand } = await import('./completion/completion.ts');
        exitCode = completionCommand(shell, io);
      },
      async complete(words, flags, program) {
        const { completeCommand } = await import('./completion/complete.ts');
        exitCode = await completeCommand(words, flags, { program, io });
      },
    },
    args[0],
  );
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
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

function exitCodeOfError(error: unknown): number {
  return error instanceof Error && error.name === 'ConfigError' ? EXIT.config : EXIT.unmeasured;
}

/** The first Ctrl-C asks a run to stop, the second one stops it; where nothing runs the first one does. */
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
 * An exit waits for file operations under way, and to open a pipe that nobody writes to takes forever: then the
 * program ends by the signal itself, which a shell shows as 130 as well.
 */
function leave(exit: EntryPoint['exit']): void {
  if (!process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) exit(EXIT.interrupted);
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}
