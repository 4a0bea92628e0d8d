// What made a run: definitions as they were, values and where they came from, code, program and machine.

import type { SuiteDefinition, TestDefinition as DefinedTest, TestTypeDefinition } from './definition.ts';

/** What variables came to as JSON, and what each value came from: `run`, `suite`, `test` or `type`. */
export type ResolvedVariables = { values: Record<string, unknown>; sources: Record<string, unknown> };

/** The definitions that a run is made of, as their files had them. */
export type LoggedDefinitions = {
  types: TestTypeDefinition[];
  tests: DefinedTest[];
  suite?: SuiteDefinition;
};

/** A kind of test that users define, with the variables it takes. */
export type TypeDefinition = { name: string; definition: unknown; variables_schema?: unknown };

export type TestDefinition = {
  name: string;
  definition: unknown;
  variables?: Record<string, unknown>;
  type?: TypeDefinition;
};

/** The suite that a run was part of, and which run of it. */
export type SuiteOrigin = {
  /** UUID v7 of the run of the suite. */
  run_id: string;
  started_at: string;
  name: string;
  definition: unknown;
  variables?: Record<string, unknown>;
  resolved_variables?: ResolvedVariables;
};

export type RunOrigin = {
  git?: { commit: string; dirty: boolean };
  /** Version of Node: `v20.19.0`. */
  node?: string;
  /** `linux 6.1 x64`. */
  os?: string;
  machine?: string;
  /** The service it ran in: `github`. */
  ci?: string;
  test?: TestDefinition;
  suite?: SuiteOrigin;
  resolved_variables?: ResolvedVariables;
};
