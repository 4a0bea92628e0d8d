// What `assay test` can be told on the command line, as the parser gives it.

import type { Flags } from '../application/settings.ts';
import type { Selection } from './inputs/select-definitions.ts';
import type { VariableFlags } from './inputs/run-variables.ts';

/** The settings, and what only the command line has. */
export type TestFlags = Flags &
  VariableFlags & {
    /** Tests or a suite by their definitions, instead of inputs. */
    selection?: Selection;
    /** Few of the combinations of a matrix, with every pair of values. */
    pairwise?: boolean;
    /** A run that would be longer is refused, unless `yes`. */
    maxAttempts?: string;
    yes?: boolean;
    /** What a random order was made from, in an earlier part of this run. */
    seed?: number;
    /** A connector that an earlier part of this run did not have from the command line. */
    earlierConnector?: string;
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
