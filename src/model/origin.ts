// The origin of a run: its definitions and values, and the code, program and machine it ran with.

import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from './definition.ts';

/** The values of variables as JSON, and the source of each: `run`, `suite`, `test` or `type`. */
export type ResolvedVariables = { values: Record<string, unknown>; sources: Record<string, unknown> };

/** The definitions used by a run, as in their files. */
export type LoggedDefinitions = {
  types: TestTypeDefinition[];
  tests: TestDefinition[];
  suite?: SuiteDefinition;
};

/** The commit that the files of a run were checked out from. */
export type GitOrigin = {
  commit: string;
  /** The branch that is checked out, or that the CI service names; undefined if there is none. */
  branch?: string;
  /** True if tracked files differ from it; undefined while that is not known. */
  dirty?: boolean;
};

export type RunOrigin = {
  git?: GitOrigin;
  /** Version of Node: `v20.19.0`. */
  node?: string;
  /** `linux 6.1.0 x64`. */
  os?: string;
  machine?: string;
  /** The CI service: `github`. */
  ci?: string;
};
