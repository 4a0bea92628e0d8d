// Records a run in the history while it runs. A separate process follows the run log, so that a database that is slow, locked or
// lost does not delay the run.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf } from '../errors.ts';
import { isPostgres } from '../platform/database-address.ts';
import { historyFile } from '../platform/state-folder.ts';
import type { Settings } from '../application/options/options.ts';
import type { Redactor } from '../secrets/redact.ts';
import { secretsInUrl } from '../secrets/secrets.ts';
import type { RecordProcess } from './record-log.ts';
import { shortPath } from '../platform/paths.ts';
import { queueImport, mayWait } from './pending-imports.ts';
import { programName } from '../platform/how-started.ts';

export type Recording = {
  /** The history was asked for, so a run that is not in it is a problem. */
  isRequired: boolean;
  /**
   * Waits, with a limit, until the history has the whole run, which is in this log now; gives what went wrong. Without a log, which
   * was changed, the history does not keep the run.
   */
  finish(log: string | undefined): Promise<string | undefined>;
};

/** How often to check whether recording should begin. */
const LOOK_MS = 500;
/** For a shorter run no process is started: it would only compete for the cores. */
const SHORT_MS = 900;
/** A recorder that is younger has hardly done anything and may be stopped. */
const YOUNG_MS = 500;
const LIMIT_MS = 10_000;

/** A run on its way into the history. */
export type RecordedRun = {
  settings: Pick<Settings, 'history' | 'store'>;
  root: string;
  cwd: string;
  runId: string;
  log: string;
  /** Only messages were sent: such a run is kept only where that was asked for. */
  isOnlyMessages: boolean;
  /** The viewer shows the run live, so recording starts at once. */
  isWatched: boolean;
  redactor: Redactor;
  interrupt: AbortSignal;
};

/** Begins to record the run whose log this is; undefined if its history is not kept. */
export function openRecording(run: RecordedRun): Recording | undefined {
  const { root, cwd, runId, isWatched, redactor, interrupt } = run;
  let { log } = run;
  const target = targetOf(run);
  if (target === undefined) return undefined;
  const { place, isRequired } = target;
  // Reading from a pipe would take its lines away from its reader.
  const isFile = statSync(log, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile && !isRequired) return undefined;
  learnPassword(place, redactor);
  const began = performance.now();
  let recorder: Promise<RecordProcess> | undefined;
  let recorderBegan = Infinity;
  /** The recorder has followed another log: lines that the run has not written may be in the history. */
  let replaced: { replaces: string } | undefined;
  const begin = (): Promise<RecordProcess> => {
    if (recorder !== undefined) return recorder;
    recorderBegan = performance.now();
    recorder = startRecorder({ place, log, ...(place === historyFile(root) && { root }), ...replaced });
    return recorder;
  };
  const look = (): void => {
    if (!isFile) return;
    if (!isWatched && performance.now() - began < SHORT_MS && mayWait(log)) return;
    clearInterval(timer);
    void begin().catch(() => undefined);
  };
  const timer = setInterval(look, LOOK_MS).unref();
  if (isWatched) look();

  /** Gives why the run is not in the history. */
  async function record(): Promise<string | undefined> {
    try {
      if (!isFile) return `the log ${shortPath(log, cwd)} is no file`;
      const isYoung = performance.now() - recorderBegan < YOUNG_MS;
      const mayQueue = isYoung && !isRequired && !isWatched && replaced === undefined;
      if (mayQueue && queueImport(root, log, runId)) {
        await stop(recorder);
        return undefined;
      }
      const limitMs = Math.max(LIMIT_MS, performance.now() - began);
      return await (await begin()).end(limitMs, interrupt);
    } catch (error) {
      return messageOf(error);
    }
  }

  return {
    isRequired,
    async finish(whole) {
      clearInterval(timer);
      if (whole !== log && recorder !== undefined) {
        await stop(recorder);
        recorder = undefined;
        replaced = { replaces: runId };
      }
      if (whole === undefined) return forget({ place, ...replaced }, target, interrupt);
      log = whole;
      const why = await record();
      if (why === undefined) return undefined;
      return `the history could not be written: ${why}; ${programName()} import ${shortPath(log, cwd)} brings this run in later`;
    },
  };
}

/** An address without a password holds no secret. */
function learnPassword(place: string, redactor: Redactor): void {
  if (URL.canParse(place) && new URL(place).password !== '') redactor.learn(secretsInUrl(place));
}

async function stop(recorder: Promise<RecordProcess> | undefined): Promise<void> {
  await recorder?.then((started) => started.stop()).catch(() => undefined);
}

/** Removes what is recorded of a run whose log was changed; gives why the history does not have it, if it should. */
async function forget(
  order: { place: string; replaces?: string },
  { isRequired }: { isRequired: boolean },
  interrupt: AbortSignal,
): Promise<string | undefined> {
  const why = 'the history does not have this run, because its log was changed';
  if (order.replaces === undefined) return isRequired ? why : undefined;
  try {
    const problem = await (await startRecorder(order)).end(LIMIT_MS, interrupt);
    if (problem === undefined) return isRequired ? why : undefined;
    return `the changed log of this run is in the history and could not be removed: ${problem}`;
  } catch (error) {
    return `the changed log of this run is in the history and could not be removed: ${messageOf(error)}`;
  }
}

/** The history that the run goes into; undefined if it is not kept. */
function targetOf({
  settings: { store, history },
  root,
  cwd,
  isOnlyMessages,
}: RecordedRun): { place: string; isRequired: boolean } | undefined {
  if (history === false) return undefined;
  if (store !== undefined) {
    return { place: isPostgres(store) ? store : resolve(cwd, store), isRequired: true };
  }
  if (isOnlyMessages) return undefined;
  return { place: historyFile(root), isRequired: false };
}

async function startRecorder(
  data: Parameters<typeof import('./record-log.ts').recordLog>[0],
): Promise<RecordProcess> {
  const { recordLog } = await import('./record-log.ts');
  return recordLog(data);
}
