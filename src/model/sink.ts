// Where events go: terminal, log file, reports.

import type { RunEvent } from './event.ts';

/** An event as everything outside may see it: secrets removed, with the line the log holds. */
export type LoggedEvent = { event: RunEvent; line: string };

/** Receives the events of a run in order, in batches. The log comes first, so that nothing is shown before it is kept. */
export type Sink = {
  write(batch: readonly LoggedEvent[]): void;
  /** How many attempts are executing now; for live displays only. */
  running?(count: number): void;
  close?(): Promise<void> | void;
};

/** A finished or unfinished run log that can be read again and again; torn and superseded lines are left out. */
export type EventSource = {
  events(): AsyncIterable<RunEvent>;
  /** The same, many at a time and with their lines, if it is a log that has lines. */
  batches?(): AsyncIterable<LoggedEvent[]>;
};
