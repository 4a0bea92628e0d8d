// Runs again whenever a case file or the agent changes, until the user stops it.

import { once } from 'node:events';
import { ConfigError } from '../errors.ts';
import { EXIT } from '../model/exit-code.ts';
import { describeProblem } from '../report/problems.ts';
import type { TestFlags } from './flags.ts';
import type { Io } from './io.ts';
import type { RunPlan } from './run-plan.ts';
import { planRun } from './run-plan.ts';

/** Editors write a file in several steps; they are one change. */
const SETTLE_MS = 100;

/** Watches until interrupted. A broken case file is reported and watched on. */
export async function watchRuns(
  flags: TestFlags,
  io: Io,
  execute: (plan: RunPlan) => Promise<number>,
): Promise<number> {
  const { watch } = await import('chokidar');
  const watcher = watch([], { ignoreInitial: true });
  let files: string[] = [];
  try {
    while (!io.interrupt.aborted) {
      try {
        const plan = await planRun(flags, io);
        files = plan?.prepared.files ?? files;
        if (plan !== undefined) await execute(plan);
        io.worker = undefined;
      } catch (error) {
        if (!(error instanceof ConfigError) || files.length === 0) throw error;
        io.stderr.write(`${describeProblem(error)}\n`);
      }
      if (io.interrupt.aborted) break;
      watcher.add(files);
      io.stderr.write(`\nWatching ${String(files.length)} files; Ctrl-C ends.\n`);
      const changed = await nextChange(watcher, io.interrupt);
      if (changed !== undefined) io.stderr.write(`\n${changed} changed.\n`);
    }
  } finally {
    await watcher.close();
  }
  return EXIT.interrupted;
}

async function nextChange(watcher: NodeJS.EventEmitter, signal: AbortSignal): Promise<string | undefined> {
  try {
    const [, path] = (await once(watcher, 'all', { signal })) as [string, string];
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return path;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
