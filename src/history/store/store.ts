// The types of the history, which load no database code.

import type { Side } from '../../compare/side.ts';
import type { ConfigError } from '../../errors.ts';
import type {
  LoggedInput,
  RunEvent,
  ResultEvent,
  StartEvent,
  Summary,
  SummaryEvent,
} from '../../model/event.ts';
import type { LoggedIsolation } from '../../model/isolation.ts';
import type { Status } from '../../model/outcome.ts';
import type { GitOrigin, ResolvedVariables } from '../../model/origin.ts';
import type { LoggedEvent } from '../../model/sink.ts';
import type { StoreError } from './store-error.ts';

/** A run in the history. */
export type StoredRun = {
  run_id: string;
  started_at: string;
  /** Null while it runs, or if it was interrupted. */
  finished_at: string | null;
  exit_code: number | null;
  agent_id: string;
  agent_sha256: string | null;
  kinds: string[];
  /** The definitions of its tests. */
  tests: StoredDefinition[];
  suite: StoredDefinition | null;
  total_cases: number;
  runs_per_case: number;
  min_pass_rate: number | null;
  /** Null until it is finished. */
  summary: Summary | null;
  connector: string | null;
  /** Fingerprint of the files that judge; null if there are none or an older version recorded it. */
  judge_sha256: string | null;
  environment: StartEvent['environment'];
  inputs: LoggedInput[];
  flags: Record<string, unknown>;
  /** Null in the usual case: agents ran in processes of their own. */
  isolation: LoggedIsolation | null;
  cwd: string;
  matrix: Record<string, unknown[]> | null;
  resolved_variables: ResolvedVariables | null;
  git: GitOrigin | null;
  version: string;
  node: string | null;
  os: string | null;
  machine: string | null;
  ci: string | null;
  /** What the user said about it. */
  note: string | null;
};

/** A definition by the id in its file; equal hashes mean equal definitions. */
export type StoredDefinition = { id: string; name: string; sha256: string };

/** The runs of one case within one run. */
export type StoredCase = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  variables_sha256: string;
  line: number | null;
  status: Status;
  /** All attempts, including unmeasured ones. */
  runs: number;
  passed: number;
  measured: number;
  /** Percent of the measured runs; null if no run was measured. */
  pass_rate: number | null;
  /** Mean of the measured runs. */
  avg_duration_ms: number | null;
  /** The most runs of `--runs auto` did not decide it. */
  undecided?: true;
};

/** A case in one of the runs that had it. */
export type CaseInRun = StoredCase & {
  run_id: string;
  started_at: string;
  agent_sha256: string | null;
  git: GitOrigin | null;
};

export type RunFilter = {
  /** Id or name of a test's definition, or the `test_id` of results. */
  test?: string;
  /** Id or name of a suite. */
  suite?: string;
  agent?: string;
  /** Runs of a checkout of this branch. */
  branch?: string;
  /** Default 50. */
  limit?: number;
  /** Only runs that started before this time, or before this run: the last one of the previous page. */
  before?: string;
};

/** Where to start reading results: after the first `skip`, or after the position of an earlier page. */
export type ResultsFrom = { skip?: number; after?: number };

/** Some results, and the position to continue from. */
export type ResultPage = { results: ResultEvent[]; position: number };

/** A test in the newest runs. */
export type RecentTest = { test_id: string; runs: number; last_run: string; last_started_at: string };

/** A test over its newest runs, newest first. */
export type TestHistory = {
  test_id: string;
  /** The number of its cases by status. */
  runs: {
    run_id: string;
    started_at: string;
    git: GitOrigin | null;
    passed: number;
    failed: number;
    skipped: number;
  }[];
  /** Most frequent changes first, then most failures; limited. */
  cases: {
    case_id: string;
    variables: Record<string, unknown> | null;
    /** Changes between passed and not passed from run to run, without unmeasured runs. */
    flips: number;
    /** In the order of the runs; null for a run without the case. */
    statuses: (Status | null)[];
  }[];
  /** The number of all cases, listed or not. */
  total_cases: number;
};

/** A name for a run that others are compared with. */
export type Baseline = { name: string; run_id: string; created_at: string };

/** A case whose outcomes differ although case, agent and judges are the same. */
export type FlakyCase = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  /** `changed`: it flipped once and stayed so. */
  kind: 'changed' | 'flaky';
  /** Of the measured runs of the version that ran last; at most 100. */
  passed: number;
  runs: number;
  /** The chance that two runs disagree. */
  flip_rate: number;
  passes_now: boolean;
  last_run_id: string;
};

/** Not complete if so many cases have flipped that only the first ones, by test and id, were looked at. */
export type FlakyCases = { cases: FlakyCase[]; is_complete: boolean };

/** The runs to add up, and those of a baseline, by id; only cases of these tests. */
export type FiguresOf = { runs: readonly string[]; baseline: readonly string[]; tests: readonly string[] };

/** One case over several runs. */
export type CaseFigures = {
  /** Attempts whose cost was recorded, and their cost without those of an unknown price. */
  attempts: number;
  cost_usd: number;
  unpriced: number;
  passed: number;
  measured: number;
  /** Total of the measured attempts. */
  duration_ms: number;
  /** In the runs of the baseline. */
  baseline_passed: number;
  baseline_measured: number;
};

/** All cases of one run. */
export type RunFigures = {
  run_id: string;
  cases: number;
  attempts: number;
  /** Total of the measured attempts. */
  duration_ms: number;
  /** Without judges and simulated users. */
  cost_usd: number;
};

export type HistoryFigures = {
  cases: {
    size: number;
    find(
      testId: string,
      caseId: string,
      variables: Record<string, unknown> | undefined,
    ): CaseFigures | undefined;
  };
  /** In the order in which they were asked for. */
  runs: RunFigures[];
};

/** The counts of a case in one of the newest runs. */
export type PastCounts = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  case_sha: string | null;
  /** The same for runs of the same agent and judges. */
  version: string;
  passed: number;
  measured: number;
};

/** How a case ended when it last ran. */
export type LastOutcome = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  /** All of its runs passed. */
  passed: boolean;
  /** Mean of the measured runs. */
  duration_ms: number;
};

export type StoredResults = { total: number; results: ResultEvent[] };

export type Pruned = { runs: number; results: number };

/** The result of importing a run log. */
export type Imported = { run_id: string; results: number; finished: boolean };

export type Recorder = {
  /**
   * Takes events and returns at once. The promise is for callers that can wait, such as an import: it resolves when there is
   * room for more, and never rejects.
   */
  add(events: readonly (RunEvent | LoggedEvent)[]): Promise<void>;
  /** Resolves when everything added so far is in the database; rejects with the first error, also an earlier one. */
  flush(): Promise<void>;
  /** Adds the summary, if there is one, and flushes. */
  finish(summary?: SummaryEvent): Promise<void>;
  /** Why recording has stopped. The run log is complete; importing it completes the history. */
  failure(): StoreError | ConfigError | undefined;
};

export type RecorderOptions = {
  /** Rows in one transaction. */
  batchRows?: number;
  /** How long results wait for a batch to fill. */
  delayMs?: number;
  /** Limit of buffered rows; recording stops if a caller adds more without waiting. */
  maxRows?: number;
  maxCharacters?: number;
};

export type Store = {
  /** Its path or address, without secrets. */
  place: string;
  /** Records a running run; never throws. */
  record(start: StartEvent, options?: RecorderOptions): Recorder;
  /** Imports the events of a run log; importing again changes nothing. */
  importRun(events: AsyncIterable<RunEvent> | Iterable<RunEvent>): Promise<Imported>;
  /** Newest first. */
  runs(filter?: RunFilter): Promise<StoredRun[]>;
  /** By id, by the beginning of an id, or `latest`. */
  run(reference: string): Promise<StoredRun>;
  /** One page of the results of a run in insertion order, and their total number. */
  results(
    reference: string,
    page?: { status?: Status; offset?: number; limit?: number },
  ): Promise<StoredResults>;
  /** All results in insertion order, page by page; a running run has more after the last page. */
  resultPages(reference: string, from?: ResultsFrom): AsyncIterable<ResultPage>;
  /** The number of results by run id. */
  resultCounts(runIds: readonly string[]): Promise<Map<string, number>>;
  cases(reference: string): Promise<StoredCase[]>;
  /** Newest run first. */
  caseHistory(testId: string, caseId: string, limit?: number): Promise<CaseInRun[]>;
  /** The tests of the newest runs, last tested first. */
  recentTests(): Promise<RecentTest[]>;
  /** The newest runs that have the test; default 30. */
  testHistory(testId: string, options?: { runs?: number }): Promise<TestHistory>;
  /** A run as one side of a comparison. */
  side(reference: string): Promise<Side>;
  /** Flaky and changed cases in the newest 100 runs, those that flip most first. */
  flakyCases(): Promise<FlakyCases>;
  /** What cases have cost, how long they took and how often they passed in some runs. */
  caseFigures(of: FiguresOf): Promise<HistoryFigures>;
  /** The counts of some cases in the newest 100 runs, newest first, without one run. */
  pastRuns(
    cases: readonly { test_id: string; id: string }[],
    options?: { without?: string | undefined },
  ): Promise<PastCounts[]>;
  /** The last outcomes of the cases of some tests; looks back until `enough` cases are known, at most 30 runs. */
  lastOutcomes(testIds: readonly string[], enough: number): Promise<LastOutcome[]>;
  /** Gives a run a name; a name that exists moves to it. */
  setBaseline(name: string, reference: string): Promise<StoredRun>;
  baselines(): Promise<Baseline[]>;
  removeBaseline(name: string): Promise<void>;
  /** Deletes runs: not baselines, not the newest `keep`, and only those that started before `olderThan`. */
  prune(rule: { keep?: number; olderThan?: Date | string }): Promise<Pruned>;
  /** Deletes one run, if it is there. */
  remove(runId: string): Promise<void>;
  close(): Promise<void>;
};
