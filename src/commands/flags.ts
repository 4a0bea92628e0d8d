// What `assay test` can be told on the command line, as the parser gives it.

import type { Flags } from '../config/settings.ts';

/** The settings, and what only the command line has. */
export type TestFlags = Flags & {
  /** Show the plan, execute nothing. */
  dryRun?: boolean;
  /** Only what did not pass in a log; `true` = the last one. */
  failed?: string | true;
  /** A log, or `last`. */
  resume?: string;
  force?: boolean;
  watch?: boolean;
  json?: boolean;
  /** Formats of the coverage of script tests, separated by commas; `true` = a table. */
  coverage?: string | true;
};
