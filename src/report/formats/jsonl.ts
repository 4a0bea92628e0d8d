// The JSONL report is the log itself, without what was torn or superseded.

import type { EventSource } from '../../model/sink.ts';
import { inChunks } from './chunks.ts';

/** Writes the events of a log, one a line. */
export function jsonlReport(source: EventSource): AsyncIterable<string> {
  return inChunks(lines(source));
}

async function* lines(source: EventSource): AsyncGenerator<string> {
  for await (const event of source.events()) yield `${JSON.stringify(event)}\n`;
}
