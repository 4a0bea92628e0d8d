// What the history can do, in words that need no database to be loaded.

import type { LoggedInput, RunEvent, ResultEvent, StartEvent, Summary } from '../model/event.ts';
import type { Status } from '../model/outcome.ts';
import type { ResolvedVariables, SuiteOrigin } from '../model/origin.ts';
import type { Imported } from './import-run.ts';
import type { Recorder, RecorderOptions } from './recorder.ts';

/** One run as the history keeps it. */
export type StoredRun = {
  run_id: string;
  started_at: string;
  /** Null while it runs, or if it was interrupted. */
  finished_at: string | null;
  exit_code: number | null;
  agent_id: string;
  agent_sha256: string | null;
  kinds: string[];
  /** The definition it was made from, if there was one. */
  test: { name: string; sha256: string } | null;
  suite: { run_id: string; name: string | null } | null;
  total_cases: number;
  runs_per_case: number;
  min_pass_rate: number | null;
  /** Null until it is finished. */
  summary: Summary | null;
  connector: string | null;
  environment: StartEvent['environment'];
  inputs: LoggedInput[];
  flags: Record<string, unknown>;
  cwd: string;
  resolved_variables: ResolvedVariables | null;
  git: { commit: string; dirty: boolean } | null;
  version: string;
  node: string | null;
  os: string | null;
  machine: string | null;
  ci: string | null;
};

/** The runs of one case within one run. */
export type StoredCase = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  variables_sha256: string;
  line: number | null;
  status: Status;
  /** Attempts that were made, also those that could not be measured. */
  runs: number;
  passed: number;
  measured: number;
  /** Percent of the measured runs; null if there are none. */
  pass_rate: number | null;
  /** Mean of the measured runs. */
  avg_duration_ms: number | null;
};

/** A case in one of the runs that had it. */
export type CaseInRun = StoredCase & {
  run_id: string;
  started_at: string;
  agent_sha256: string | null;
  git: { commit: string; dirty: boolean } | null;
};

export type Change = 'improved' | 'new' | 'regressed' | 'removed' | 'unchanged';

/** A case in two runs; null where it was not there. */
export type ComparedCase = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  change: Change;
  before: CaseSide | null;
  after: CaseSide | null;
};

export type CaseSide = Pick<StoredCase, 'status' | 'runs' | 'passed' | 'pass_rate' | 'avg_duration_ms'>;

type Comparison = {
  before: StoredRun;
  after: StoredRun;
  counts: Record<Change, number>;
  cases: ComparedCase[];
};

export type RunFilter = {
  /** Name of a test, or id of a test that it has cases of. */
  test?: string;
  /** Name of a suite, or id of one of its runs. */
  suite?: string;
  agent?: string;
  /** 50 unless said otherwise. */
  limit?: number;
  /** Only what started before this time, or before this run: the last one of the page before. */
  before?: string;
};

export type StoredResults = { total: number; results: ResultEvent[] };

export type Pruned = { runs: number; results: number };

type SuiteEnd = { timestamp: string; exit_code: number };

export type Store = {
  /** Where it is, without secrets. */
  place: string;
  /** Takes a run as it happens; never throws. */
  record(start: StartEvent, options?: RecorderOptions): Recorder;
  /** Brings in the events of a run log, exactly once. */
  importRun(events: AsyncIterable<RunEvent> | Iterable<RunEvent>): Promise<Imported>;
  /** Keeps the run of a suite before its first run has started. */
  startSuite(suite: SuiteOrigin): Promise<void>;
  finishSuite(suiteRunId: string, end: SuiteEnd): Promise<void>;
  /** Newest first. */
  runs(filter?: RunFilter): Promise<StoredRun[]>;
  /** By id, by the beginning of an id, or `latest`. */
  run(reference: string): Promise<StoredRun>;
  /** The events of a run in the order they came, and how many there are. */
  results(
    reference: string,
    page?: { status?: Status; offset?: number; limit?: number },
  ): Promise<StoredResults>;
  cases(reference: string): Promise<StoredCase[]>;
  /** Newest run first. */
  caseHistory(testId: string, caseId: string, limit?: number): Promise<CaseInRun[]>;
  compare(before: string, after: string): Promise<Comparison>;
  /** Deletes runs: all but the newest `keep`, of those only what started before `olderThan`. */
  prune(rule: { keep?: number; olderThan?: Date | string }): Promise<Pruned>;
  close(): Promise<void>;
};
