// The interface between the server and the application it shows.

import type { Store } from '../history/store/store.ts';
import type { QuarantineEntry } from '../quarantine/read-quarantine.ts';

/** A request to run tests. Texts are converted to the data type of their variable. */
export type RunOrder = {
  what: { test: string } | { suite: string };
  variables: Record<string, string | number | boolean>;
  runs?: number;
};

/** New values of a suite; null removes one. `sha256` is the hash of the file they were read from. */
export type SuiteChange = { variables: Record<string, string | number | boolean | null>; sha256: string };

export type Application = {
  version: string;
  /** The name of its folder. */
  name: string;
  store: Store;
  /** Imports pending runs into the history. */
  importPending(): Promise<void>;
  /** The current types, tests and suites as JSON. */
  definitions(): Promise<object>;
  /** The cases in quarantine, or why their file cannot be read. */
  quarantine(): Promise<{ entries: QuarantineEntry[]; problem?: string }>;
  /** Returns the id of the new run; throws ApiError if it cannot start. */
  startRun(order: RunOrder): Promise<string>;
  /** Asks a run to stop; false if it is not running or was not started here. */
  stopRun(runId: string): boolean;
  /** Ids of the running runs that were started here. */
  started(): string[];
  /** Why a run that was started here left no log. */
  failureText(runId: string): string | undefined;
  /** The time of the last write to the log of a run, if known. */
  lastActivity(runId: string): number | undefined;
  /** Returns the hash of the new file; throws ApiError if nothing was saved. */
  saveSuite(id: string, change: SuiteChange): Promise<string>;
};
