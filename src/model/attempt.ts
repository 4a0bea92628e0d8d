// One execution of one case: self-contained JSON that any worker could run.

import type { AgentDefinition } from './agent.ts';
import type { TestCase } from './case.ts';
import type { ContextData } from './context.ts';

export type Kind = 'agent-eval' | 'script' | 'skill';

export type Attempt = {
  /** Identity of the attempt everywhere: hash of test, case, variables and run. */
  key: string;
  kind: Kind;
  test_id: string;
  case: TestCase;
  /** From 1. */
  run: number;
  agent: AgentDefinition;
  context: ContextData;
  timeout_ms: number;
  /** Folder that relative `file://` sources start from, and the application root they stay inside. */
  base: string;
  root: string;
  /** Line of the case in its file. */
  line?: number;
  variables?: Record<string, unknown>;
  /** Where its traffic is recorded, below the folder of tapes. */
  tape?: string;
};

/** What all cases of one input share. */
export type Target = {
  test_id: string;
  agent: AgentDefinition;
  /** Folder that relative file sources start from. */
  base: string;
  root: string;
  /** The id of the definition of its test, and what that says, over the settings of the run. */
  test?: string;
  runs?: number;
  timeout_ms?: number;
  /** So many of its attempts run at the same time at most. */
  parallel?: number;
  /** Of the test: all of its cases have them. */
  tags?: string[];
  variables?: TargetVariables;
};

/** What the variables of a test came to, as in JSON. */
export type TargetVariables = {
  values: Record<string, unknown>;
  /** Those of them that are dates. */
  dates: string[];
  /** The same text for the same values, which tells combinations apart. */
  variant: string;
};
