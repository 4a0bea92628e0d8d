// The process that records a run: follows its log and writes what comes into the history, until it is told that the log is complete.

import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import type { RunEvent } from '../model/event.ts';
import type { LoggedEvent } from '../model/sink.ts';
import { GrowingLines } from '../log/follow-lines.ts';
import { openLog } from '../log/reader.ts';
import { ignoreDebugSignal } from '../platform/processes/debugger.ts';
import { openStore } from './store/open-store.ts';
import type { Recorder } from './store/store.ts';
import type { Store } from './store/store.ts';
import type { RecordOrder } from './record-log.ts';
import { takeWaiting } from './pending-imports.ts';

const LOOK_MS = 200;
/** Few enough to take little memory. */
const BATCH_ROWS = 1000;
/** Less than the run waits for this process, so that it learns what was wrong. */
const WAIT_MS = 8000;
/** How long a finished run may wait while runs before it are imported. */
const IMPORT_MS = 2000;

ignoreDebugSignal();
// Ctrl-C is meant for the run, which decides how long it waits. Without the run, recording is pointless.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('SIGHUP', () => undefined);
process.on('disconnect', () => process.exit());
let isComplete = false;
let complete = (): void => undefined;
const completed = new Promise<void>((done) => {
  complete = done;
});
// The first message says what to do, the second one that the log is complete. A cast, because only recordLog starts this.
const { place, log, replaces, root } = await new Promise<RecordOrder>((begin) => {
  process.on('message', (message: RecordOrder | 'end') => {
    if (message !== 'end') return begin(message);
    isComplete = true;
    complete();
  });
});
const why = await record();
process.send?.({ why });

/** Gives why the run could not be recorded. A database that fails meanwhile gets another chance when the log is complete. */
async function record(): Promise<string | null> {
  try {
    await withStore(async (store) => {
      if (replaces !== undefined) await store.remove(replaces);
      if (log !== undefined) await followLog(store, log);
    });
    return null;
  } catch (error) {
    if (isComplete) return reasonOf(error);
  }
  await completed;
  try {
    await withStore(async (store) => {
      if (replaces !== undefined) await store.remove(replaces);
      if (log !== undefined) await store.importRun(openLog(log).events());
    });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

async function withStore(work: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await openStore(place, { waitMs: WAIT_MS });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

async function followLog(store: Store, path: string): Promise<void> {
  const began = performance.now();
  const isEnough = (): boolean => isComplete && performance.now() - began > IMPORT_MS;
  if (root !== undefined) await takeWaiting(store, root, isEnough);
  const lines = await GrowingLines.open(path);
  let recorder: Recorder | undefined;
  try {
    for (;;) {
      // Asked before reading: what is read after the log was complete is all there is.
      const isLast = isComplete;
      const some = await lines.next();
      if (some === undefined && isLast) break;
      if (some === undefined) await Promise.race([sleep(LOOK_MS), completed]);
      const events = (some ?? []).map(toLogged);
      const first = events[0]?.event;
      if (first?.type === 'start') recorder ??= store.record(first, { batchRows: BATCH_ROWS });
      await recorder?.add(events);
      const failure = recorder?.failure();
      if (failure !== undefined) throw failure;
    }
    await recorder?.finish();
  } finally {
    await lines.close();
  }
}

function toLogged(line: string): LoggedEvent {
  // A cast, because this program has written the line.
  return { event: JSON.parse(line) as RunEvent, line };
}

/** The run says itself that it is the history. */
function reasonOf(error: unknown): string {
  return messageOf(error).replace(/^the history /, '');
}
