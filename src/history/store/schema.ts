// The tables as the query layer sees them. JSON columns are text here.

import type { Generated } from 'kysely';
import type { ErrorCode, Status } from '../../model/outcome.ts';

/** One version of a definition, identified by its content. */
type DefinitionTable = {
  id: Generated<number>;
  sha256: string;
  /** The id in its file. */
  defined_id: string;
  name: string;
  definition: string;
};

type TestTypesTable = DefinitionTable & { variables_schema: string | null };
type TestsTable = DefinitionTable & { test_type_id: number | null; variables: string | null };
type SuitesTable = DefinitionTable & { variables: string | null };

/** The tests of a run, in the order of its log. */
type RunTestsTable = { run_no: number; place: number; test_id: number };

/** The suite of a run. */
type SuiteRunsTable = { run_no: number; suite_id: number; resolved_variables: string | null };

/** The summary of a run; null until it ends. */
export type SummaryColumns = {
  finished_at: string | null;
  exit_code: number | null;
  total: number | null;
  passed: number | null;
  failed: number | null;
  skipped: number | null;
  errors: number | null;
  timeouts: number | null;
  total_runs: number | null;
  stable_cases: number | null;
  unstable_cases: number | null;
  overall_pass_rate: number | null;
  min_pass_rate: number | null;
  duration_ms: number | null;
  checks: string | null;
  usage: string | null;
  cost_usd: number | null;
};

/** One run log. */
export type TestRunsTable = SummaryColumns & {
  /** Short key of the run, because results repeat it up to a million times. */
  no: Generated<number>;
  run_id: string;
  started_at: string;
  agent_id: string;
  agent_sha256: string | null;
  kinds: string;
  total_cases: number;
  runs_per_case: number;
  connector: string | null;
  environment: string;
  inputs: string;
  flags: string;
  cwd: string;
  version: string;
  matrix: string | null;
  resolved_variables: string | null;
  git_commit: string | null;
  /** 1 if files differed from the commit; null if unknown. */
  git_dirty: number | null;
  git_branch: string | null;
  judge_sha256: string | null;
  node: string | null;
  os: string | null;
  machine: string | null;
  ci: string | null;
  note: string | null;
};

/** One attempt. */
export type ResultsTable = {
  id: Generated<number>;
  run_no: number;
  key: string;
  kind: string;
  test_id: string;
  case_id: string;
  run: number;
  agent_id: string | null;
  status: Status;
  code: ErrorCode | null;
  error: string | null;
  duration_ms: number;
  /** Empty without variables. */
  variables_sha256: string;
  variables: string | null;
  usage: string | null;
  cost_usd: number | null;
  /** Line of the case in its file. */
  line: number | null;
  /** The whole event as in the log. */
  event: string;
  /** Why it does not count for its case. */
  uncounted: string | null;
};

/** The number of runs of a case by status, so that queries need not count results. */
export type RunCasesTable = {
  run_no: number;
  test_id: string;
  case_id: string;
  variables_sha256: string;
  variables: string | null;
  line: number | null;
  passed: number;
  failed: number;
  timeouts: number;
  /** The agent's own errors. */
  errors: number;
  unmeasured: number;
  skipped: number;
  /** Total of all measured runs. */
  duration_ms: number;
  /** Null in rows of older versions, as are the columns below. */
  kind: string | null;
  /** The content of the case. */
  case_sha: string | null;
  /** Runs that do not count for the case; only their cost and tokens do. */
  uncounted: number;
  /** Totals of the agent's own calls in all runs. */
  cost_usd: number | null;
  tokens: number | null;
  /** Runs whose price is unknown. */
  unpriced: number | null;
};

/** A name for a run that others are compared with. */
type BaselinesTable = { name: string; run_id: string; created_at: string };

/** The columns of a case that count its runs or sum them up. */
export const COUNT_COLUMNS = [
  'passed',
  'failed',
  'timeouts',
  'errors',
  'unmeasured',
  'skipped',
  'uncounted',
  'duration_ms',
] as const satisfies (keyof RunCasesTable)[];

/** The columns of a case that sum up what its runs spent. */
export const SPENT_COLUMNS = ['cost_usd', 'tokens', 'unpriced'] as const satisfies (keyof RunCasesTable)[];

export type CaseCounts = Pick<RunCasesTable, (typeof COUNT_COLUMNS)[number]>;
export type CaseSums = CaseCounts & Record<(typeof SPENT_COLUMNS)[number], number>;

export type Tables = {
  test_types: TestTypesTable;
  tests: TestsTable;
  suites: SuitesTable;
  test_runs: TestRunsTable;
  run_tests: RunTestsTable;
  suite_runs: SuiteRunsTable;
  results: ResultsTable;
  run_cases: RunCasesTable;
  baselines: BaselinesTable;
};
