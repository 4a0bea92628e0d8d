// Definitions of test types, tests and suites, as in their files.

import type { KindId } from './subject.ts';
import type { TestSuiteVariablesConfig, TestTypeVariablesSchema, TestVariablesConfig } from './variables.ts';

/** A test type: the kind of its tests and the variables they have. */
export type TestTypeDefinition = {
  id: string;
  name: string;
  description?: string;
  kind: KindId;
  variablesSchema?: TestTypeVariablesSchema;
};

/** How a test is run; the command line overrides it. */
type TestOptions = {
  /** A number, or `auto`: until each case is decided. */
  runs?: number | 'auto';
  /** A Go duration: `30s`, `1m`. */
  timeout?: string;
  parallel?: number;
};

/** A test: an input, the agent to test with it, and overrides for the variables of its type. */
export type TestDefinition = {
  id: string;
  name: string;
  description?: string;
  /** The id of a type. */
  type: string;
  /** The agent, as in `-n`. */
  agent?: string;
  /** Case files, relative to the definition. A test has exactly one of input, cases, script and skill. */
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
  /** As listed, or shuffled in every run. */
  order?: 'listed' | 'random';
  /** What the whole run must reach: `pass_rate >= 90`. */
  gates?: string[];
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
