// Receivers and sources of events: terminal, log file, reports.

import type { RunEvent } from './event.ts';

/** An event with its secrets masked, and its line in the log. */
export type LoggedEvent = { event: RunEvent; line: string };

/** Receives the events of a run in order, in batches. The log is the first sink, so that nothing is shown before it is saved. */
export type Sink = {
  write(batch: readonly LoggedEvent[]): void;
  /** Reports the number of executing attempts; for live displays only. */
  running?(count: number): void;
  close?(): Promise<void> | void;
};

/** A finished or unfinished run log that can be read repeatedly; leaves out torn and superseded lines. */
export type EventSource = {
  events(): AsyncIterable<RunEvent>;
  /** The same events in batches with their lines, if the source has lines. */
  batches?(): AsyncIterable<LoggedEvent[]>;
};
