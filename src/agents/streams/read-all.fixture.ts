import { AttemptError } from '../../errors.ts';
import type { Transcript } from '../../model/agent.ts';
import { openStreamReader } from './stream-reader.ts';

/** Reads a whole stream; undefined if no reader knows its first event. */
export function readAll(events: readonly unknown[]): Transcript | undefined {
  const reader = openStreamReader(events[0]);
  for (const event of events) reader?.push(event);
  return reader?.finish();
}

/** The failure of a stream that cannot be read; undefined if it can. */
export function failureOf(events: readonly unknown[]): unknown {
  try {
    readAll(events);
    return undefined;
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    const { code, message, isFinal } = error;
    return { code, message, ...(isFinal && { isFinal }) };
  }
}

/** The events of a recorded stream, one per line. */
export function parseLines(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // The recordings of the tests are objects.
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}
