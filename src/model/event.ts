// The run log: one JSON object a line. Every report, the history and resume are folds of it.

import type { Usage } from './agent.ts';
import type { CaseInput } from './case.ts';
import type { Kind } from './attempt.ts';
import type { GitOrigin, LoggedDefinitions, ResolvedVariables, RunOrigin } from './origin.ts';
import type { Outcome } from './outcome.ts';
import type { Checks } from './skill.ts';

export const LOG_VERSION = 1;

/** One input of a run as the log keeps it, and the test that it belongs to if that has a definition. */
export type LoggedInput = InputOrigin & OfTest;

/** What the results of an input have in common that comes from the definition of a test. */
type OfTest = {
  /** The id of the definition. */
  test?: string;
  /** What its results have as `test_id`; the id of the definition unless that has several inputs. */
  test_id?: string;
  /** Attempts of every case, if that differs from the run's `runs_per_case`. */
  runs?: number;
  /** Values as in JSON, and where each comes from. */
  resolved_variables?: ResolvedVariables;
};

/** A file with its hash, or a message. */
type InputOrigin =
  | {
      type: 'file';
      path: string;
      sha256: string;
      agent_id: string;
      agent_sha256: string;
      /** What made the file: `agents:generator?count=10`. */
      generated?: string;
    }
  | { type: 'message'; message: string; agent_id: string; agent_sha256: string }
  /** Cases that stand in the definition of a test: `path` is its file. */
  | { type: 'cases'; path: string; sha256: string; agent_id: string; agent_sha256: string }
  /** A file of script tests. `input` is what was typed, `script` the name of the file: `scripts.expense.setup`. */
  | {
      type: 'script';
      input: string;
      script: string;
      script_path: string;
      /** Where the file is, from the folder of the run. */
      file: string;
      sha256: string;
      agent_id: string;
      agent_sha256: string;
    }
  /** The test of a skill. `input` is what was typed, `skill` the name of the skill. */
  | {
      type: 'skill';
      input: string;
      skill: string;
      skill_type: string;
      /** As people know it; nothing if the skill has no test. */
      skill_path?: string;
      /** Where the file is, from the folder of the run. */
      file?: string;
      sha256: string;
      agent_id: string;
      agent_sha256: string;
    };

export type StartEvent = {
  type: 'start';
  run_id: string;
  log_version: number;
  timestamp: string;
  agent_id: string;
  total_cases: number;
  runs_per_case: number;
  connector?: string;
  environment: { user_id: string; team_id: string; locale: string };
  /** What resume needs: the inputs and the flags that shape the plan. Paths are relative to `cwd`. */
  inputs: LoggedInput[];
  flags: Record<string, unknown>;
  cwd: string;
  version: string;
  /** What made the run, for the history. */
  origin?: RunOrigin;
  /** The suite that was run. */
  suite?: string;
  /** Variables that were given several values, all combinations of which were run (or a selection of them). */
  matrix?: Record<string, unknown[]>;
  /** The variables of the run: all of its only test, else what the suite and the run set. */
  resolved_variables?: ResolvedVariables;
  /** The definitions that the run is made of, as they were. */
  definitions?: LoggedDefinitions;
};

export type ResultEvent = {
  type: 'result';
  key: string;
  kind: Kind;
  test_id: string;
  id: string;
  run: number;
  /** Only when a run has several agents. */
  agent_id?: string;
  input?: CaseInput;
  expected?: unknown;
  description?: string;
  tags?: string[];
  line?: number;
  variables?: Record<string, unknown>;
} & Outcome;

/** Counts of a run, by cases unless the name says runs. */
export type Summary = {
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  errors: number;
  timeouts: number;
  duration_ms: number;
  total_runs: number;
  runs_per_case: number;
  overall_pass_rate: number | null;
  stable_cases: number;
  unstable_cases: number;
  /** What all skill tests counted. */
  checks?: Checks;
  /** Tokens of all model calls, those of judges included; cost is null if a price is not known. */
  usage?: Usage;
  cost_usd?: number | null;
};

export type SummaryEvent = {
  type: 'summary';
  timestamp: string;
  exit_code: number;
  min_pass_rate?: number;
} & Summary;

/** A run was taken up again; results after it replace earlier ones with the same key. */
export type ResumeEvent = { type: 'resume'; run_id: string; timestamp: string };

/** What was found out about the origin of a run after its start. */
export type ProvenanceEvent = { type: 'provenance'; git: GitOrigin };

export type RunEvent = StartEvent | ResultEvent | SummaryEvent | ResumeEvent | ProvenanceEvent;
