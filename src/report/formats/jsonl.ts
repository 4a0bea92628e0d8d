// The JSONL report: the log itself, without torn and superseded lines.

import type { EventSource } from '../../model/sink.ts';
import { inChunks } from './chunks.ts';

/** Writes the events of a log, one per line. */
export function jsonlReport(source: EventSource): AsyncIterable<string> {
  return inChunks(lines(source));
}

async function* lines(source: EventSource): AsyncGenerator<string> {
  for await (const event of source.events()) yield `${JSON.stringify(event)}\n`;
}
