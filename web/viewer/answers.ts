// Types of the server's answers; those of stored data come from the history.

import type { Problem } from '../../src/errors.ts';
import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from '../../src/model/definition.ts';
import type { StoredRun, TestHistory } from '../../src/history/store/store.ts';
import type { Entities } from '../../src/variables/check-schema.ts';

export type About = {
  version: string;
  /** The location of the history. */
  place: string;
  /** Name of the application's folder. */
  root: string;
  can_write: boolean;
  /** Runs that this server has started and that still run. */
  started: string[];
};

/** A run in a list. */
export type ListedRun = Omit<StoredRun, 'environment' | 'flags' | 'inputs' | 'resolved_variables'> & {
  is_live: boolean;
  /** A short name of what was run. */
  subject: string;
  /** False if there is no earlier run of the same subject. */
  may_have_previous: boolean;
  /** Set for unfinished runs only. */
  progress?: { results: number };
};

export type ViewedRun = StoredRun & { is_live: boolean; can_stop: boolean };

/** A case of a test's history. */
export type HistoryCase = TestHistory['cases'][number];

export type ListedSuite = SuiteDefinition & { file: string; sha256: string; is_editable: boolean };

export type Definitions = {
  types: TestTypeDefinition[];
  tests: TestDefinition[];
  suites: ListedSuite[];
  entities: Entities;
  problems: Problem[];
  presets: string[];
};
