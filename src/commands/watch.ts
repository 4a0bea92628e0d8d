// Runs again whenever a case file or the agent changes, until the user stops it.

import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { FSWatcher } from 'chokidar';
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
  let watcher: FSWatcher | undefined;
  let files: string[] = [];
  try {
    while (!io.interrupt.aborted) {
      const began = Date.now();
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
      if (watcher === undefined) {
        watcher = watch(files, { ignoreInitial: true });
        await once(watcher, 'ready');
      } else watcher.add(files);
      // What changed while the cases were running counts too.
      const changed = changedSince(files, began) ?? (await nextChange(watcher, files.length, io));
      if (changed !== undefined) io.stderr.write(`\n${changed} changed.\n`);
    }
  } finally {
    await watcher?.close();
  }
  return EXIT.interrupted;
}

function changedSince(files: readonly string[], time: number): string | undefined {
  return files.find((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > time);
}

async function nextChange(watcher: FSWatcher, count: number, io: Io): Promise<string | undefined> {
  io.stderr.write(`\nWatching ${String(count)} files; Ctrl-C ends.\n`);
  try {
    const [, path] = (await once(watcher, 'all', { signal: io.interrupt })) as [string, string];
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return path;
  } catch (error) {
    if (io.interrupt.aborted) return undefined;
    throw error;
  }
}
