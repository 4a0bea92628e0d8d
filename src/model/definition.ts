// Definitions: types of tests, tests and suites, as their files have them.

import type { Kind } from './attempt.ts';
import type { TestSuiteVariablesConfig, TestTypeVariablesSchema, TestVariablesConfig } from './variables.ts';

/** What tests of a type have in common: what kind they are, and which variables they have. */
export type TestTypeDefinition = {
  id: string;
  name: string;
  description?: string;
  kind: Kind;
  variablesSchema?: TestTypeVariablesSchema;
};

/** How a test is run, unless the command line says otherwise. */
type TestOptions = {
  runs?: number;
  /** A Go duration: `30s`, `1m`. */
  timeout?: string;
  parallel?: number;
};

/** A test: an input, who is tested with it, and what it does with the variables of its type. */
export type TestDefinition = {
  id: string;
  name: string;
  description?: string;
  /** The id of a type. */
  type: string;
  /** What `-n` takes. */
  agent?: string;
  /** Case files, relative to the definition; exactly one of these four says what is tested. */
  input?: string | string[];
  cases?: Record<string, unknown>[];
  script?: string;
  skill?: string;
  options?: TestOptions;
  tags?: string[];
  variables?: TestVariablesConfig;
};

type SuiteOptions = {
  parallel?: number;
  failFast?: boolean;
  /** As they are listed, or in another order every time. */
  order?: 'listed' | 'random';
};

/** Tests that run together. */
export type SuiteDefinition = {
  id: string;
  name: string;
  description?: string;
  /** Ids, patterns of ids, `tag:…`. */
  tests: string[];
  variables?: TestSuiteVariablesConfig;
  /** All combinations of these values. */
  matrix?: { [variableName: string]: (string | number | boolean)[] };
  options?: SuiteOptions;
  /** Functions to call before the first test and after the last. */
  setUp?: string;
  tearDown?: string;
};
