// What the server needs of the application it shows, and cannot do by itself.

import type { Store } from '../history/store/store.ts';

/** Tests to run, as somebody has asked for them. Texts mean what the data type of their variable says. */
export type RunOrder = {
  what: { test: string } | { suite: string };
  variables: Record<string, string | number | boolean>;
  runs?: number;
};

/** Values of a suite: null removes one. `sha256` is that of the file they were read from. */
export type SuiteChange = { variables: Record<string, string | number | boolean | null>; sha256: string };

export type Application = {
  version: string;
  /** The name of its folder. */
  name: string;
  store: Store;
  /** Takes in the runs that wait for the history. */
  takeIn(): Promise<void>;
  /** Types, tests and suites as they are now, as JSON. */
  definitions(): Promise<object>;
  /** Gives the id of the new run; throws ApiError if nothing runs. */
  startRun(order: RunOrder): Promise<string>;
  /** Asks a run to stop; false if it is none that was started here and still runs. */
  stopRun(runId: string): boolean;
  /** Ids of the runs that were started here and still run. */
  started(): string[];
  /** Why a run that was started here has left nothing behind. */
  failureOf(runId: string): string | undefined;
  /** When something was last written to the log of a run, if that is known. */
  lastSign(runId: string): number | undefined;
  /** Gives the hash of the new file; throws ApiError if nothing was saved. */
  saveSuite(id: string, change: SuiteChange): Promise<string>;
};
