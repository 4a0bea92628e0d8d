// What the history can do, in words that need no database to be loaded.

import type { ConfigError } from '../../errors.ts';
import type {
  LoggedInput,
  RunEvent,
  ResultEvent,
  StartEvent,
  Summary,
  SummaryEvent,
} from '../../model/event.ts';
import type { Status } from '../../model/outcome.ts';
import type { GitOrigin, ResolvedVariables } from '../../model/origin.ts';
import type { LoggedEvent } from '../../model/sink.ts';
import type { StoreError } from './store-error.ts';

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
  /** The definitions it was made of. */
  tests: StoredDefinition[];
  suite: StoredDefinition | null;
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
  matrix: Record<string, unknown[]> | null;
  resolved_variables: ResolvedVariables | null;
  git: GitOrigin | null;
  version: string;
  node: string | null;
  os: string | null;
  machine: string | null;
  ci: string | null;
};

/** A definition by the id its file gives it; equal hashes are equal definitions. */
export type StoredDefinition = { id: string; name: string; sha256: string };

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
  git: GitOrigin | null;
};

/** `unmeasured`: skipped or not measured in one of the two runs, so that nobody knows what changed. */
export type Change = 'improved' | 'new' | 'regressed' | 'removed' | 'unchanged' | 'unmeasured';

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

export type Comparison = {
  before: StoredRun;
  after: StoredRun;
  /** Of all cases, whether they are listed or not. */
  counts: Record<Change, number>;
  /** In the order of their ids. */
  cases: ComparedCase[];
};

export type CompareOptions = {
  /** List every case. Otherwise what has not changed is only counted, and of very many that changed some are listed. */
  all?: boolean;
};

export type RunFilter = {
  /** Id or name of a test's definition, or what results have as `test_id`. */
  test?: string;
  /** Id or name of a suite. */
  suite?: string;
  agent?: string;
  /** 50 unless said otherwise. */
  limit?: number;
  /** Only what started before this time, or before this run: the last one of the page before. */
  before?: string;
};

/** Where reading results begins: after the first so many, or after the position of an earlier page. */
export type ResultsFrom = { skip?: number; after?: number };

/** Some results, and where the next ones are. */
export type ResultPage = { results: ResultEvent[]; position: number };

/** A test that the newest runs had. */
export type RecentTest = { test_id: string; runs: number; last_run: string; last_started_at: string };

/** A test over its newest runs, newest first. */
export type TestHistory = {
  test_id: string;
  /** How many of its cases ended in which way. */
  runs: {
    run_id: string;
    started_at: string;
    git: GitOrigin | null;
    passed: number;
    failed: number;
    skipped: number;
  }[];
  /** Those that changed most often first, then those that failed most often; of very many only some. */
  cases: {
    case_id: string;
    variables: Record<string, unknown> | null;
    /** Changes between passed and not passed from run to run; runs that could not tell do not count. */
    flips: number;
    /** In the order of the runs; null where the case was not there. */
    statuses: (Status | null)[];
  }[];
  /** Of all cases, whether they are listed or not. */
  total_cases: number;
};

export type StoredResults = { total: number; results: ResultEvent[] };

export type Pruned = { runs: number; results: number };

/** What came of bringing in a run log. */
export type Imported = { run_id: string; results: number; finished: boolean };

export type Recorder = {
  /**
   * Takes events and returns at once. The promise is for those who can wait, such as an import: it is kept when there is
   * room for more, and never rejected.
   */
  add(events: readonly (RunEvent | LoggedEvent)[]): Promise<void>;
  /** Kept when everything added so far is in the database; rejected with what went wrong, now or earlier. */
  flush(): Promise<void>;
  /** Adds how the run ended, if that is known, and flushes. */
  finish(summary?: SummaryEvent): Promise<void>;
  /** Why nothing is recorded any more. The run log has it all; an import completes the history. */
  failure(): StoreError | ConfigError | undefined;
};

export type RecorderOptions = {
  /** Rows in one transaction. */
  batchRows?: number;
  /** How long results may wait for company. */
  delayMs?: number;
  /** More rows than this are never held; who adds more without waiting is not recorded any more. */
  maxRows?: number;
  maxCharacters?: number;
};

export type Store = {
  /** Where it is, without secrets. */
  place: string;
  /** Takes a run as it happens; never throws. */
  record(start: StartEvent, options?: RecorderOptions): Recorder;
  /** Brings in the events of a run log, exactly once. */
  importRun(events: AsyncIterable<RunEvent> | Iterable<RunEvent>): Promise<Imported>;
  /** Newest first. */
  runs(filter?: RunFilter): Promise<StoredRun[]>;
  /** By id, by the beginning of an id, or `latest`. */
  run(reference: string): Promise<StoredRun>;
  /** The events of a run in the order they came, and how many there are. */
  results(
    reference: string,
    page?: { status?: Status; offset?: number; limit?: number },
  ): Promise<StoredResults>;
  /** All results in the order they came, some at a time; a run that goes on has more after the last page. */
  resultPages(reference: string, from?: ResultsFrom): AsyncIterable<ResultPage>;
  /** How many results there are, by run id. */
  resultCounts(runIds: readonly string[]): Promise<Map<string, number>>;
  cases(reference: string): Promise<StoredCase[]>;
  /** Newest run first. */
  caseHistory(testId: string, caseId: string, limit?: number): Promise<CaseInRun[]>;
  /** The tests of the newest runs; what was tested last comes first. */
  recentTests(): Promise<RecentTest[]>;
  /** Over the newest 30 runs that have the test, unless said otherwise. */
  testHistory(testId: string, options?: { runs?: number }): Promise<TestHistory>;
  /** What changed from one run to another. */
  compare(before: string, after: string, options?: CompareOptions): Promise<Comparison>;
  /** Deletes runs: all but the newest `keep`, of those only what started before `olderThan`. */
  prune(rule: { keep?: number; olderThan?: Date | string }): Promise<Pruned>;
  close(): Promise<void>;
};
