// The run log: one JSON object per line. Reports, history and resume are computed from it.

import type { Usage } from './agent.ts';
import type { CaseInput } from './case.ts';
import type { Comparison } from './comparison.ts';
import type { GateResult } from './gate.ts';
import type { LoggedIsolation } from './isolation.ts';
import type { KindId } from './subject.ts';
import type { GitOrigin, LoggedDefinitions, ResolvedVariables, RunOrigin } from './origin.ts';
import type { Outcome } from './outcome.ts';
import type { QuarantineCounts, QuarantineMark } from './quarantine.ts';
import type { RunsRule } from './runs-rule.ts';
import type { Spending } from './spending.ts';
import type { MetricSummary } from './scores.ts';
import type { Checks } from './skill.ts';

export const LOG_VERSION = 1;

/** One input of a run in the log, with its test if that has a definition. */
export type LoggedInput = InputOrigin & InputBinding;

/** The fields of an input that come from the definition of its test. */
type InputBinding = {
  /** The id of the definition. */
  test?: string;
  /** The `test_id` of its results; the id of the definition unless that has several inputs. */
  test_id?: string;
  /** Attempts per case, if different from the run's `runs_per_case`. */
  runs?: number;
  /** Values as JSON, and the source of each. */
  resolved_variables?: ResolvedVariables;
};

/** A file with its hash, or a message. */
export type InputOrigin =
  | {
      type: 'file';
      path: string;
      sha256: string;
      agent_id: string;
      agent_sha256: string;
      /** The generator of the file: `agents:generator?count=10`. */
      generated?: string;
    }
  | { type: 'message'; message: string; agent_id: string; agent_sha256: string }
  /** Cases in the definition of a test: `path` is its file. */
  | { type: 'cases'; path: string; sha256: string; agent_id: string; agent_sha256: string }
  /** A file of script tests. `input` is the command-line argument, `script` the name: `scripts.expense.setup`, or the path. */
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
  /** The test of a skill. `input` is the command-line argument, `skill` the name of the skill. */
  | {
      type: 'skill';
      input: string;
      skill: string;
      skill_type: string;
      /** The path for display; undefined if the skill has no test. */
      skill_path?: string;
      /** Where the file is, from the folder of the run. */
      file?: string;
      sha256: string;
      agent_id: string;
      agent_sha256: string;
    };

/** Where the answers of a graded run were recorded. */
export type GradedFrom = {
  /** The files and folders as they were named. */
  from: string[];
  /** `assay`, `atif`, `claude`, `codex` or `otel`; several are joined by commas. */
  format: string;
  /** The run that the answers come from, if it has a log of this program. */
  run_id?: string;
};

export type StartEvent = {
  type: 'start';
  run_id: string;
  log_version: number;
  timestamp: string;
  agent_id: string;
  total_cases: number;
  runs_per_case: number;
  /** Of `--runs auto`: cases run until they are decided, at most `runs_per_case` times. */
  runs_rule?: RunsRule;
  connector?: string;
  /** Fingerprint of the files that judge answers or run around cases; undefined if there are none. */
  judge_sha256?: string;
  environment: { user_id: string; team_id: string; locale: string };
  /** Missing in the usual case: agents ran in processes of their own. */
  isolation?: LoggedIsolation;
  /** Needed to resume: the inputs and the flags that shape the plan. Paths are relative to `cwd`. */
  inputs: LoggedInput[];
  flags: Record<string, unknown>;
  cwd: string;
  /** What the user says about the run. */
  note?: string;
  version: string;
  /** The recorded answers that the run has judged; its agent was not run. */
  graded?: GradedFrom;
  /** Code, program and machine of the run, for the history. */
  origin?: RunOrigin;
  /** The suite that was run. */
  suite?: string;
  /** Variables with several values; the run has all combinations of them, or a selection. */
  matrix?: Record<string, unknown[]>;
  /** The variables of the run: all variables if it has a single test, else those set by the suite and the run. */
  resolved_variables?: ResolvedVariables;
  /** The definitions used by the run, as they were at its start. */
  definitions?: LoggedDefinitions;
};

export type ResultEvent = {
  type: 'result';
  key: string;
  kind: KindId;
  test_id: string;
  id: string;
  run: number;
  /** Only if the run has several agents. */
  agent_id?: string;
  /** 24 hexadecimal digits: the hash of what the agent is asked and how it is judged. */
  case_sha?: string;
  input?: CaseInput;
  expected?: unknown;
  description?: string;
  tags?: string[];
  line?: number;
  /** The place of the case in the order of the files, from 1; only if cases ran in another order. */
  position?: number;
  variables?: Record<string, unknown>;
  /** Why it does not count: its case was decided when it ended, or it is a fresh run of a suspect. */
  uncounted?: 'confirm' | 'decided';
  /** The case is in quarantine: its failure does not fail the run. */
  quarantined?: QuarantineMark;
} & Outcome;

/** What was decided while the run was on. */
export type DecidedFields = {
  /** In the order in which they were given. */
  gates?: GateResult[];
  /** With the baseline of `--against`; its cases are the telling ones. */
  comparison?: Comparison;
  auto?: AutoCounts;
};

/** What `--runs auto` has decided, in cases; `runs` were executed, and `saved` against the largest number for each case. */
export type AutoCounts = { passed: number; failed: number; undecided: number; runs: number; saved: number };

/** Counts of a run, in cases unless the name says runs. */
export type Summary = {
  total: number;
  passed: number;
  failed: number;
  skipped: number;
  errors: number;
  timeouts: number;
  /** The part of `failed` that could not be measured: errors that are not the agent's. Left out if there are none. */
  unmeasured?: number;
  duration_ms: number;
  total_runs: number;
  runs_per_case: number;
  overall_pass_rate: number | null;
  /** The 95 % interval of the pass rate for cases like these, in percent; left out if no case could be measured. */
  pass_rate_interval?: { low: number; high: number };
  /** With `--cluster`: the rule, the number of groups, and how many cases the rule applies to; the others are groups of their own. */
  clusters?: { by: string; groups: number; cases: number };
  stable_cases: number;
  unstable_cases: number;
  /** The scores of each metric, by name; left out if no case has a score. */
  metrics?: MetricSummary[];
  /** Scores of cases in further metrics: only the first ones are averaged. */
  metrics_left_out?: number;
  /** The checks of all skill tests. */
  checks?: Checks;
  /** Tokens of all model calls, including judges; the cost is null if a price is unknown. */
  usage?: Usage;
  cost_usd?: number | null;
  /** A budget stopped the run: what it did not reach is skipped. */
  incomplete?: boolean;
  /** The cases in quarantine; left out if there are none. */
  quarantined?: QuarantineCounts;
} & DecidedFields;

export type SummaryEvent = {
  type: 'summary';
  timestamp: string;
  exit_code: number;
  min_pass_rate?: number;
} & Summary;

/** The run was resumed; results after this event replace earlier ones with the same key. */
export type ResumeEvent = {
  type: 'resume';
  run_id: string;
  timestamp: string;
  /** From here on every case has so many runs, more than the start says. */
  runs?: number;
};

/** Facts about the origin of a run that were found after its start. */
export type ProvenanceEvent = { type: 'provenance'; git: GitOrigin };

/** The choice of a `select_best` between the answers of all variants to one case in one run. It changes no result. */
export type SelectionEvent = {
  type: 'selection';
  test_id: string;
  id: string;
  run: number;
  /** The `value` of the assertion. */
  criteria: unknown;
  /** The variables of the variants, in the order in which the judge saw them. */
  choices: Record<string, unknown>[];
  /** The variables of the best one; missing if there is an error. */
  best?: Record<string, unknown>;
  reason?: string;
  /** Why no choice could be made. */
  error?: string;
} & Spending;

export type RunEvent =
  StartEvent | ResultEvent | SummaryEvent | ResumeEvent | ProvenanceEvent | SelectionEvent;
