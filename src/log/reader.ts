// Reads the events of a run log; skips an incomplete last line, unknown events and results that a resumed run replaced.

import { createReadStream } from 'node:fs';
import { ConfigError } from '../errors.ts';
import type { RunEvent, StartEvent } from '../model/event.ts';
import { largerRuns, withRuns } from '../model/runs-per-case.ts';
import type { EventSource, LoggedEvent } from '../model/sink.ts';
import { refuseDevice } from '../json/text-file.ts';
import type { JsonLines } from '../json/jsonl.ts';
import { readJsonLines } from '../json/jsonl.ts';
import { lineCheck } from './check-line.ts';
import { eventShape } from './event-shapes.ts';
import { brokenLine, damagedLog } from './damaged-log.ts';
import { notALog, unreadable } from './problems.ts';

/** Which events of a resumed log are valid; positions count the lines with a value. */
type Superseded = {
  lastResume: number;
  lastSummary: number;
  lastByKey: Map<string, number>;
  /** The largest number of runs of a case that the run was resumed with. */
  runs: number | undefined;
};

/** Opens a log, also an unfinished one, for repeated reading. The file must not change in between. */
export function openLog(path: string): Required<EventSource> {
  let superseded: Promise<Superseded | undefined> | undefined;
  async function* batches(): AsyncGenerator<LoggedEvent[]> {
    superseded ??= findSuperseded(path);
    const later = await superseded;
    let position = -1;
    for await (const batch of readBatches(path)) {
      const counting: LoggedEvent[] = [];
      for (const { event, line } of batch) {
        position += 1;
        if (event === undefined || (later !== undefined && !isCurrent(event, position, later))) continue;
        counting.push(extendedStart({ event, line }, later));
      }
      yield counting;
    }
  }
  return {
    batches,
    async *events() {
      for await (const batch of batches()) for (const { event } of batch) yield event;
    },
  };
}

/** Reads the start event, the first line of a log. */
export async function readStart(path: string): Promise<StartEvent> {
  for await (const [first] of readBatches(path)) {
    if (first?.event?.type === 'start') return first.event;
  }
  throw notALog(path);
}

/** Reads a whole log; throws ConfigError if something is wrong with it. */
export async function checkLog(path: string): Promise<void> {
  const lines = readLines(path);
  while ((await lines.next()).done !== true);
}

/** The start says how many runs every case has in the end. */
function extendedStart(logged: LoggedEvent, later: Superseded | undefined): LoggedEvent {
  if (later?.runs === undefined || logged.event.type !== 'start') return logged;
  const event = withRuns(logged.event, later.runs);
  return event === logged.event ? logged : { event, line: JSON.stringify(event) };
}

/** False for results and summaries that a resumed run replaced. */
function isCurrent(event: RunEvent, position: number, later: Superseded): boolean {
  if (event.type === 'summary') return position === later.lastSummary && position > later.lastResume;
  if (event.type !== 'result') return true;
  const last = later.lastByKey.get(event.key);
  return last === undefined || last === position;
}

/** Finds what a resumed run replaced; keeps only keys after the first resume. */
async function findSuperseded(path: string): Promise<Superseded | undefined> {
  if (!(await mayBeResumed(path))) return undefined;
  const found: Superseded = { lastResume: -1, lastSummary: -1, lastByKey: new Map(), runs: undefined };
  let position = -1;
  for await (const batch of readBatches(path)) {
    for (const { event } of batch) {
      position += 1;
      if (event?.type === 'resume') {
        found.lastResume = position;
        found.runs = largerRuns(found.runs, event);
      } else if (event?.type === 'summary') found.lastSummary = position;
      else if (event?.type === 'result' && found.lastResume >= 0) found.lastByKey.set(event.key, position);
    }
  }
  return found.lastResume < 0 ? undefined : found;
}

/** Searches the bytes, which is far cheaper than parsing every line: most logs were never resumed. */
async function mayBeResumed(path: string): Promise<boolean> {
  const word = Buffer.from('"resume"');
  let rest = Buffer.alloc(0);
  refuseDevice(path, path);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      // A stream without an encoding yields buffers.
      const bytes = Buffer.concat([rest, chunk as Buffer]);
      if (bytes.includes(word)) return true;
      rest = bytes.subarray(Math.max(0, bytes.length - word.length + 1));
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return false;
}

/** A line of the log and its event; undefined if this version does not know the event. */
type ReadLine = { event: RunEvent | undefined; line: string };

async function* readBatches(path: string): AsyncGenerator<ReadLine[]> {
  for await (const { lines } of readLines(path)) yield lines;
}

/** Reads a log with everything that a resumed run replaced; `end` is the byte offset after the last complete line. */
export async function* readLines(path: string): AsyncGenerator<{ lines: ReadLine[]; end: number }> {
  const check = lineCheck(path);
  let isEmpty = true;
  for await (const { values, lines, end } of readValues(path)) {
    const batch: ReadLine[] = [];
    for (const [at, value] of values.entries()) {
      const line = lines[at] ?? '';
      if (check(value, line).length > 0) throw await damagedLog(path);
      // The cast is safe, because the line has just been checked.
      batch.push({ event: eventShape(value) === undefined ? undefined : (value as RunEvent), line });
    }
    isEmpty = false;
    yield { lines: batch, end };
  }
  if (isEmpty) throw notALog(path);
}

async function* readValues(path: string): AsyncGenerator<JsonLines> {
  try {
    yield* readJsonLines(path);
  } catch (cause) {
    if (isSystemError(cause)) throw unreadable(path, cause);
    throw cause instanceof ConfigError ? await brokenLine(path, cause) : cause;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
