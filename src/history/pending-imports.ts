// Short runs that wait for their import into the history, because opening the database would take longer than the run. A copy
// of the log is left in the application's folder; the next program that opens the history imports it.

import { copyFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../errors.ts';
import { stateFolder } from '../platform/state-folder.ts';
import { checkLog, openLog } from '../log/reader.ts';
import type { Store } from './store/store.ts';
import { removeLeftovers, replaceFile } from '../platform/replace-file.ts';

const FOLDER = 'waiting';
/** Longer logs are worth opening a database for. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Caps on the waiting runs and their bytes; the run that reaches one imports them all. */
const MOST_RUNS = 50;
const MOST_TOGETHER = 4 * MOST_BYTES;

/** True for a log that is short enough to wait. */
export function mayWait(log: string): boolean {
  return sizeOf(log) <= MOST_BYTES;
}

/** Leaves a copy of a finished run's log for the next import; false if the log or the queue is too large. */
export function queueImport(root: string, log: string, runId: string): boolean {
  if (!mayWait(log)) return false;
  const folder = stateFolder(root, FOLDER);
  removeLeftovers(folder);
  const waiting = readdirSync(folder);
  if (waiting.length >= MOST_RUNS || bytesOf(folder, waiting) >= MOST_TOGETHER) return false;
  // A copy, because the log may be removed or written again.
  replaceFile(join(folder, `${runId}.jsonl`), (temporary) => copyFileSync(log, temporary));
  return true;
}

/** Takes in what waits, until told to stop. What cannot be taken in waits on. */
export async function takeWaiting(
  store: Store,
  root: string,
  isEnough = (): boolean => false,
): Promise<void> {
  const folder = join(root, '.assay', FOLDER);
  for (const name of namesIn(folder)) {
    if (isEnough() || !(await takeIn(store, join(folder, name)))) return;
  }
}

/** True if a run waits. */
export function hasWaiting(root: string): boolean {
  return namesIn(join(root, '.assay', FOLDER)).length > 0;
}

function bytesOf(folder: string, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
}

/** Undefined for a file that is gone: another program may have imported it. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return [];
  }
}

/** False if the history takes nothing. */
async function takeIn(store: Store, log: string): Promise<boolean> {
  try {
    const before = statSync(log).mtimeMs;
    await checkLog(log);
    await store.importRun(openLog(log).events());
    // A run that was resumed in the meantime has a longer log.
    if (statSync(log).mtimeMs === before) rmSync(log, { force: true });
    return true;
  } catch (error) {
    // Nothing is lost: a log that this version cannot read waits for the next, and another program may have been quicker.
    // A problem with one log does not stop the import of the others.
    const isAboutTheLog = error instanceof Error && 'reason' in error && error.reason === 'other';
    return error instanceof ConfigError || isAboutTheLog || (error instanceof Error && 'syscall' in error);
  }
}
