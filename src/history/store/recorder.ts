// Records the events of a run in batches: in the background, with bounded memory, without blocking the run.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConfigError } from '../../errors.ts';
import type { ProvenanceEvent, ResumeEvent, RunEvent, StartEvent, SummaryEvent } from '../../model/event.ts';
import type { LoggedEvent } from '../../model/sink.ts';
import type { Connection } from './connection.ts';
import type { ResultRow } from './event-rows.ts';
import { resultRow } from './event-rows.ts';
import type { Compiled } from './many-rows.ts';
import type { Recorder, RecorderOptions } from './store.ts';
import { StoreError, toStoreError } from './store-error.ts';
import { writeBatch } from './write-batch.ts';

/** Records a run. Never throws here; errors surface in `flush`. */
export function createRecorder(
  connection: Connection,
  compiled: Compiled,
  start: StartEvent,
  options: RecorderOptions = {},
): Recorder {
  const { batchRows = 5000, delayMs = 500, maxRows = 50_000, maxCharacters = 128 * 1024 * 1024 } = options;
  let rows: ResultRow[] = [];
  let characters = 0;
  let provenance: ProvenanceEvent | undefined;
  let end: SummaryEvent | ResumeEvent | undefined;
  /** True until the run itself is written, even if it has no results. */
  let isNew = true;
  let failure: StoreError | ConfigError | undefined;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function take(item: RunEvent | LoggedEvent): void {
    const [event, line] = 'event' in item ? [item.event, item.line.trimEnd()] : [item, undefined];
    if (event.type === 'provenance') provenance = event;
    if (event.type === 'summary' || event.type === 'resume') end = event;
    if (event.type !== 'result') return;
    const row = resultRow(event, line);
    rows.push(row);
    characters += row.event.length;
  }

  function giveUp(error: StoreError | ConfigError): void {
    failure ??= error;
    rows = [];
    characters = 0;
    end = undefined;
  }

  const hasMore = (): boolean => isNew || rows.length > 0 || provenance !== undefined || end !== undefined;

  /** Writes until nothing is left. Only one loop runs at a time, so batches stay in order. */
  async function write(): Promise<void> {
    while (failure === undefined && hasMore()) {
      const results = rows.slice(0, batchRows);
      // The end of a run comes after its last result.
      const batchEnd = results.length === rows.length ? end : undefined;
      rows = rows.slice(results.length);
      if (batchEnd !== undefined) end = undefined;
      const batch = { start, results, provenance, end: batchEnd };
      provenance = undefined;
      try {
        await writeBatch(connection, compiled, batch);
        isNew = false;
      } catch (error) {
        giveUp(toStoreError(connection.place, error));
      }
      for (const row of results) characters -= row.event.length;
      // SQLite blocks this thread: yield.
      await nextTurn();
    }
  }

  function startWriting(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  function writeSoon(): void {
    if (rows.length >= batchRows) void startWriting();
    else timer ??= setTimeout(() => void startWriting(), delayMs).unref();
  }

  const isOpen = (): boolean => failure === undefined && (hasMore() || writing !== undefined);

  async function flush(): Promise<void> {
    // Events added during a write are written by the same loop or by the next.
    while (isOpen()) await startWriting();
    if (failure !== undefined) throw failure;
  }

  // Makes the run visible before it has results.
  writeSoon();
  return {
    async add(events) {
      if (failure !== undefined) return;
      try {
        for (const item of events) take(item);
      } catch (error) {
        giveUp(toStoreError(connection.place, error));
      }
      if (rows.length > maxRows || characters > maxCharacters) {
        giveUp(new StoreError('behind', connection.place));
        return;
      }
      writeSoon();
      if (rows.length >= 2 * batchRows) await startWriting();
    },
    flush,
    async finish(summary) {
      if (summary !== undefined && failure === undefined) end = summary;
      await flush();
    },
    failure: () => failure,
  };
}
