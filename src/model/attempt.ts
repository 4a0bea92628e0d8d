// One execution of one case: self-contained JSON that any worker could run.

import type { TestCase } from './case.ts';
import type { ContextData } from './context.ts';
import type { Subject } from './subject.ts';

export type Attempt<Tested extends Subject = Subject> = {
  /** Identity of the attempt everywhere: hash of test, case, variables and run. */
  key: string;
  test_id: string;
  case: TestCase;
  /** From 1. */
  run: number;
  subject: Tested;
  context: ContextData;
  timeout_ms: number;
  /** Folder that relative `file://` sources start from, and the application root they stay inside. */
  base: string;
  root: string;
  /** Line of the case in its file. */
  line?: number;
  /** The place of its case in the order of the files, if cases run in another order. */
  position?: number;
  /** The hash of the content of the case. */
  case_sha?: string;
  variables?: Record<string, unknown>;
  /** Where its traffic is recorded, below the folder of tapes. */
  tape?: string;
};

/** The part that all cases of one input share. */
export type Target = {
  test_id: string;
  subject: Subject;
  /** Those of cases that name an agent of their own, by that name. */
  subjects?: Readonly<Record<string, Subject>>;
  /** Folder that relative file sources start from. */
  base: string;
  root: string;
  /** The id of the definition of its test, and what that says, over the settings of the run. */
  test?: string;
  runs?: number;
  /** How long an attempt may take unless the case says otherwise. */
  timeout_ms: number;
  /** Cap on its attempts that run at the same time. */
  parallel?: number;
  /** Of the test: all of its cases have them. */
  tags?: string[];
  variables?: TargetVariables;
  /** User and team of the context file win over `-u` and `-t`. */
  prefersContextFile?: true;
};

/** The subject of a case. */
export function subjectOf({ subject, subjects }: Target, { agent }: TestCase): Subject {
  const own = agent === undefined || subjects === undefined ? undefined : subjects[agent];
  return own ?? subject;
}

/** The ids of everything that a target tests. */
export function subjectIds({ subject, subjects }: Target): string[] {
  return [...new Set([subject, ...Object.values(subjects ?? {})].map(({ id }) => id))];
}

/** The resolved variables of a test, as JSON. */
export type TargetVariables = {
  values: Record<string, unknown>;
  /** Those of them that are dates. */
  dates: string[];
  /** The same text for the same values, which tells combinations apart. */
  variant: string;
};
