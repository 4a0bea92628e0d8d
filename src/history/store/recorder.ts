// Records the events of a run in batches: in the background, with bounded memory, without blocking the run.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ConfigError } from '../../errors.ts';
import type { ProvenanceEvent, ResumeEvent, RunEvent, StartEvent, SummaryEvent } from '../../model/event.ts';
import { withRuns } from '../../model/runs-per-case.ts';
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
  return new RunRecorder(connection, compiled, start, options);
}

class RunRecorder implements Recorder {
  readonly #connection: Connection;
  readonly #compiled: Compiled;
  #start: StartEvent;
  readonly #options: Required<RecorderOptions>;
  #rows: ResultRow[] = [];
  #characters = 0;
  #provenance: ProvenanceEvent | undefined;
  #end: SummaryEvent | ResumeEvent | undefined;
  /** True until the run itself is written, even if it has no results. */
  #isNew = true;
  #failure: StoreError | ConfigError | undefined;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: Connection, compiled: Compiled, start: StartEvent, options: RecorderOptions) {
    const { batchRows = 5000, delayMs = 500, maxRows = 50_000, maxCharacters = 128 * 1024 * 1024 } = options;
    this.#connection = connection;
    this.#compiled = compiled;
    this.#start = start;
    this.#options = { batchRows, delayMs, maxRows, maxCharacters };
    // Makes the run visible before it has results.
    this.#writeSoon();
  }

  async add(events: readonly (RunEvent | LoggedEvent)[]): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      for (const item of events) this.#take(item);
    } catch (error) {
      this.#giveUp(toStoreError(this.#connection.place, error));
    }
    const { batchRows, maxRows, maxCharacters } = this.#options;
    if (this.#rows.length > maxRows || this.#characters > maxCharacters) {
      this.#giveUp(new StoreError('behind', this.#connection.place));
      return;
    }
    this.#writeSoon();
    if (this.#rows.length >= 2 * batchRows) await this.#startWriting();
  }

  async flush(): Promise<void> {
    // Events added during a write are written by the same loop or by the next.
    while (this.#isOpen) await this.#startWriting();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async finish(summary?: SummaryEvent): Promise<void> {
    if (summary !== undefined && this.#failure === undefined) this.#end = summary;
    await this.flush();
  }

  failure(): StoreError | ConfigError | undefined {
    return this.#failure;
  }

  #take(item: RunEvent | LoggedEvent): void {
    const [event, line] = 'event' in item ? [item.event, item.line.trimEnd()] : [item, undefined];
    if (event.type === 'provenance') this.#provenance = event;
    if (event.type === 'resume') this.#start = withRuns(this.#start, event.runs);
    if (event.type === 'summary' || event.type === 'resume') this.#end = event;
    if (event.type !== 'result') return;
    const row = resultRow(event, line);
    this.#rows.push(row);
    this.#characters += row.event.length;
  }

  #giveUp(error: StoreError | ConfigError): void {
    this.#failure ??= error;
    this.#rows = [];
    this.#characters = 0;
    this.#end = undefined;
  }

  #writeSoon(): void {
    if (this.#rows.length >= this.#options.batchRows) void this.#startWriting();
    else this.#timer ??= setTimeout(() => void this.#startWriting(), this.#options.delayMs).unref();
  }

  #startWriting(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** Writes until nothing is left. Only one loop runs at a time, so batches stay in order. */
  async #write(): Promise<void> {
    while (this.#failure === undefined && this.#hasMore) {
      const results = this.#rows.slice(0, this.#options.batchRows);
      // The end of a run comes after its last result.
      const end = results.length === this.#rows.length ? this.#end : undefined;
      this.#rows = this.#rows.slice(results.length);
      if (end !== undefined) this.#end = undefined;
      const batch = { start: this.#start, results, provenance: this.#provenance, end };
      this.#provenance = undefined;

      try {
        await writeBatch(this.#connection, this.#compiled, batch);
        this.#isNew = false;
      } catch (error) {
        this.#giveUp(toStoreError(this.#connection.place, error));
      }
      for (const row of results) this.#characters -= row.event.length;
      // SQLite blocks this thread: yield.
      await nextTurn();
    }
  }

  get #hasMore(): boolean {
    return this.#isNew || this.#rows.length > 0 || this.#provenance !== undefined || this.#end !== undefined;
  }

  get #isOpen(): boolean {
    return this.#failure === undefined && (this.#hasMore || this.#writing !== undefined);
  }
}
