// The events of a run in, batches of rows out: in the background, in bounded memory, without ever stopping the run.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConfigError } from '../../errors.ts';
import type { ProvenanceEvent, ResumeEvent, RunEvent, StartEvent, SummaryEvent } from '../../model/event.ts';
import type { LoggedEvent } from '../../model/sink.ts';
import type { Connection } from './connection.ts';
import type { ResultRow } from './event-rows.ts';
import { resultRow } from './event-rows.ts';
import type { Compiled } from './many-rows.ts';
import type { Recorder, RecorderOptions } from './store.ts';
import { StoreError, storeError } from './store-error.ts';
import { writeBatch } from './write-batch.ts';

/** Records a run. Nothing is thrown here: what fails, fails in `flush`. */
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
  /** The run itself is written even if it has no results. */
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

  /** Writes until nothing is left. There is one such loop at a time, so batches stay in order. */
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
        giveUp(storeError(connection.place, error));
      }
      for (const row of results) characters -= row.event.length;
      // SQLite works in this thread: let others have their turn.
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
    // What comes while a batch is written is written by the same loop or by the next.
    while (isOpen()) await startWriting();
    if (failure !== undefined) throw failure;
  }

  // Others see that it runs before it has results.
  writeSoon();
  return {
    async add(events) {
      if (failure !== undefined) return;
      try {
        for (const item of events) take(item);
      } catch (error) {
        giveUp(storeError(connection.place, error));
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
