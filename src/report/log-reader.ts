// A run log in, its events out: without a torn last line, unknown events and what a resumed run replaced.

import { createReadStream } from 'node:fs';
import { ConfigError, messageOf } from '../errors.ts';
import type { ResultEvent, RunEvent, StartEvent } from '../model/event.ts';
import { LOG_VERSION } from '../model/event.ts';
import type { EventSource } from '../model/sink.ts';
import { readJsonLines } from '../platform/jsonl.ts';

/** Which lines of a resumed log count; positions are counted in lines with a value. */
type Superseded = { lastResume: number; lastSummary: number; lastByKey: Map<string, number> };

/** Opens a finished or unfinished log for reading as often as needed; the file must not change in between. */
export function openLog(path: string): EventSource {
  let superseded: Promise<Superseded | undefined> | undefined;
  return {
    async *events() {
      superseded ??= findSuperseded(path);
      const later = await superseded;
      let position = -1;
      for await (const event of readEvents(path)) {
        position += 1;
        if (event === undefined || (later !== undefined && !isCounting(event, position, later))) continue;
        yield event;
      }
    },
  };
}

/** Reads how a run was started, which is the first line of its log. */
export async function readStart(path: string): Promise<StartEvent> {
  for await (const event of readEvents(path)) {
    if (event?.type === 'start') return event;
  }
  throw notALog(path);
}

/** A summary from before the run was taken up again says nothing about it any more. */
function isCounting(event: RunEvent, position: number, later: Superseded): boolean {
  if (event.type === 'summary') return position === later.lastSummary && position > later.lastResume;
  if (event.type !== 'result') return true;
  const last = later.lastByKey.get(event.key);
  return last === undefined || last === position;
}

/** Finds what a resumed run replaced; remembers only keys that came after the first resume. */
async function findSuperseded(path: string): Promise<Superseded | undefined> {
  if (!(await mayBeResumed(path))) return undefined;
  const found: Superseded = { lastResume: -1, lastSummary: -1, lastByKey: new Map() };
  let position = -1;
  for await (const event of readEvents(path)) {
    position += 1;
    if (event?.type === 'resume') found.lastResume = position;
    else if (event?.type === 'summary') found.lastSummary = position;
    else if (event?.type === 'result' && found.lastResume >= 0) found.lastByKey.set(event.key, position);
  }
  return found.lastResume < 0 ? undefined : found;
}

/** A search in the bytes is far cheaper than reading every line, and most logs were never resumed. */
async function mayBeResumed(path: string): Promise<boolean> {
  const word = Buffer.from('"resume"');
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      // A cast, because a stream without an encoding gives buffers.
      const bytes = Buffer.concat([rest, chunk as Buffer]);
      if (bytes.includes(word)) return true;
      rest = bytes.subarray(Math.max(0, bytes.length - word.length + 1));
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return false;
}

/** Every value of the log as an event, or undefined for one that this version does not know. */
async function* readEvents(path: string): AsyncGenerator<RunEvent | undefined> {
  let isFirst = true;
  try {
    for await (const { values } of readJsonLines(path)) {
      for (const value of values) {
        const event = eventOf(value, path);
        if (isFirst) checkStart(event, path);
        isFirst = false;
        yield event;
      }
    }
  } catch (cause) {
    throw isSystemError(cause) ? unreadable(path, cause) : cause;
  }
  if (isFirst) throw notALog(path);
}

function eventOf(value: unknown, path: string): RunEvent | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined;
  switch (value.type) {
    case 'result':
      if (!isResult(value)) throw notALog(path, 'a result in it has no key, id or status');
      return value;
    case 'start':
    case 'summary':
    case 'resume':
      // A cast, because these are written by Assay and their type has just been looked at.
      return value as RunEvent;
    default:
      return undefined;
  }
}

function isResult(value: object): value is ResultEvent {
  const { key, id, status } = value as Partial<Record<'key' | 'id' | 'status', unknown>>;
  return typeof key === 'string' && typeof id === 'string' && typeof status === 'string';
}

function checkStart(event: RunEvent | undefined, path: string): void {
  if (event?.type !== 'start' || typeof event.run_id !== 'string') throw notALog(path);
  if (event.log_version <= LOG_VERSION) return;
  throw new ConfigError(`the run log ${path} was written by a newer version of Assay (${event.version})`, {
    hint: 'install that version or a later one',
  });
}

function notALog(path: string, reason = 'it does not begin with a start line'): ConfigError {
  return new ConfigError(`${path} is not a run log: ${reason}`, {
    hint: 'give the .jsonl file that `assay test` wrote, not a case file or a report',
  });
}

function unreadable(path: string, cause: unknown): ConfigError {
  if (isSystemError(cause) && cause.code === 'ENOENT') {
    return new ConfigError(`the run log ${path} does not exist`, {
      cause,
      hint: 'check the path; logs lie next to the case file as output-….jsonl or in .assay/runs',
    });
  }
  return new ConfigError(`cannot read the run log ${path}: ${messageOf(cause)}`, { cause });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
