// What made a run: definitions as they were, values and where they came from, code, program and machine.

import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from './definition.ts';

/** What variables came to as JSON, and what each value came from: `run`, `suite`, `test` or `type`. */
export type ResolvedVariables = { values: Record<string, unknown>; sources: Record<string, unknown> };

/** The definitions that a run is made of, as their files had them. */
export type LoggedDefinitions = {
  types: TestTypeDefinition[];
  tests: TestDefinition[];
  suite?: SuiteDefinition;
};

/** The commit that the files of a run were checked out from. */
export type GitOrigin = {
  commit: string;
  /** True if tracked files differ from it; nothing as long as that is not known. */
  dirty?: boolean;
};

export type RunOrigin = {
  git?: GitOrigin;
  /** Version of Node: `v20.19.0`. */
  node?: string;
  /** `linux 6.1.0 x64`. */
  os?: string;
  machine?: string;
  /** The service it ran in: `github`. */
  ci?: string;
};
