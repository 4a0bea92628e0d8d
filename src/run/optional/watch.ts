// Runs again whenever a case file or the agent changes, until the user stops it.

import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { FSWatcher } from 'chokidar';
import { ConfigError } from '../../errors.ts';
import { EXIT } from '../../model/exit-code.ts';
import { describeProblem } from '../../report/terminal/problems.ts';
import type { TestFlags } from '../request.ts';
import type { Io } from '../io.ts';
import type { RunPlan } from '../plan.ts';
import { readNotPassed } from '../earlier/earlier-run.ts';
import { planRun } from '../plan.ts';
import type { Focus } from '../planning/request.ts';
import { executeRun } from '../execute-run.ts';
import { displayPath } from '../../platform/paths.ts';
import { lastLog } from '../../platform/state-folder.ts';

/** Editors write a file in several steps; they are one change. */
const SETTLE_MS = 100;
const LOOK_MS = 1000;

/** Watches until interrupted. A broken case file is reported and watched on. */
export async function watchRuns(flags: TestFlags, io: Io): Promise<number> {
  const { watch } = await import('chokidar');
  let watcher: FSWatcher | undefined;
  const known = new Set<string>();
  const memory = createMemory();
  try {
    while (!io.interrupt.aborted) {
      const began = Date.now();
      try {
        const plan = await planRun(flags, io, memory.focus());
        if (plan !== undefined) {
          for (const file of [...plan.prepared.files, ...plan.prepared.folders]) known.add(file);
          await executeRun(plan, io);
          await memory.remember(plan);
        }
        io.worker = undefined;
      } catch (error) {
        if (!(error instanceof ConfigError) || known.size === 0) throw error;
        io.stderr.write(`${describeProblem(error)}\n`);
      }
      if (io.interrupt.aborted) break;
      const files = [...known];
      if (watcher === undefined) {
        watcher = watch(files, { ignoreInitial: true });
        await once(watcher, 'ready');
      } else watcher.add(files);
      // Changes while the cases were running count too.
      const changed = changedSince(files, began) ?? (await nextChange(watcher, files, io));
      if (changed === undefined) continue;
      memory.changed(changed);
      io.stderr.write(`\n${displayPath(changed, io.cwd)} changed.\n`);
    }
  } finally {
    await watcher?.close();
  }
  return EXIT.interrupted;
}

/** Watch mode remembers this of script tests: the files they are made of, and which of them did not pass. */
type Memory = {
  changed(file: string): void;
  /** The focus of the next run; everything if the change concerns more than script tests. */
  focus(): Focus;
  remember(plan: RunPlan): Promise<void>;
};

function createMemory(): Memory {
  const reach = new Map<string, readonly string[]>();
  const failed = new Set<string>();
  let isElse = (_file: string): boolean => true;
  let latest: string | undefined;
  return {
    changed(file) {
      latest = file;
    },
    focus() {
      const file = latest;
      if (file === undefined || isElse(file)) return { first: failed };
      const names = [...reach].filter(([, files]) => files.includes(file)).map(([name]) => name);
      return { first: failed, ...(names.length > 0 && { only: new Set(names) }) };
    },
    async remember({ application: { root }, prepared }) {
      for (const [name, files] of prepared.reach) {
        reach.set(name, files);
        failed.delete(name);
      }
      const known = new Set([...reach.values()].flat());
      const others = new Set(prepared.files.filter((file) => !known.has(file)));
      if (latest === undefined) isElse = (file) => others.has(file);
      const log = lastLog(root);
      if (log === undefined || reach.size === 0) return;
      const { notPassed } = await readNotPassed(log).catch(() => ({ notPassed: new Set<string>() }));
      for (const key of notPassed) failed.add(key.slice(0, key.indexOf('\n')));
    },
  };
}

function changedSince(files: readonly string[], time: number): string | undefined {
  return files.find((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > time);
}

async function nextChange(watcher: FSWatcher, files: readonly string[], io: Io): Promise<string | undefined> {
  io.stderr.write(`\nWatching ${String(files.length)} files; Ctrl-C ends.\n`);
  const from = Date.now();
  // The watcher may miss a file that is replaced twice within a moment.
  const looking = setInterval(() => {
    const missed = changedSince(files, from);
    if (missed !== undefined) watcher.emit('all', 'change', missed);
  }, LOOK_MS);
  try {
    const [, path] = (await once(watcher, 'all', { signal: io.interrupt })) as [string, string];
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return path;
  } catch (error) {
    if (io.interrupt.aborted) return undefined;
    throw error;
  } finally {
    clearInterval(looking);
  }
}
