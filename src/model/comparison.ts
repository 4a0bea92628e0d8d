// The comparison of two sides: plain data for log, terminal, files and pages.

import type { Status } from './outcome.ts';

/** Of the pass rate. `undecided`: neither a drop nor its absence is shown. */
export type ComparisonVerdict = 'better' | 'not_worse' | 'slightly_worse' | 'undecided' | 'worse';

/**
 * The plain fact about a case. `unmeasured`: not measured on one side. `changed`: its input, expected value or assertions
 * differ, so its rates are not compared.
 */
export type Change = 'changed' | 'improved' | 'new' | 'regressed' | 'removed' | 'unchanged' | 'unmeasured';

/** Of one case. `suspect`: it passed before and fails now, but noise may do this. `unproven`: a lower rate, no more. */
export type CaseVerdict = 'improved' | 'regressed' | 'suspect' | 'unproven';

/** Why a case has no noise: one failure is enough. */
export type Ground = 'graded' | 'replay' | 'script' | 'skill';

export type ComparedCase = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  change: Change;
  /** Null if its rate did not change, or cannot be compared. */
  verdict: CaseVerdict | null;
  /** True if the chance that any case of the comparison is wrongly called proven is at most alpha/2. */
  proven: boolean;
  /** Chance of as few passes, or fewer, if nothing changed; null if it has no noise or is not compared. */
  p: number | null;
  p_adjusted: number | null;
  /** Expected share of noise among the cases with this p or a smaller one. */
  false_share: number | null;
  /** Set if it has no noise. */
  ground?: Ground;
  before: ComparedSide | null;
  after: ComparedSide | null;
};

export type ComparedSide = {
  status: Status;
  passed: number;
  measured: number;
  /** All attempts, including unmeasured ones. */
  runs: number;
  /** Percent of the measured attempts; null if none was measured. */
  pass_rate: number | null;
  avg_duration_ms: number | null;
  cost_usd: number | null;
};

/** In points, after minus before; every case weighs the same. */
type RateDifference = {
  value: number;
  low: number;
  high: number;
  /** Percent. */
  level: number;
  p_worse: number;
  p_better: number;
  /** Cases measured on both sides. */
  cases: number;
  /** The interval for cases like these, of which the suite is a sample. */
  interval_like_these: [low: number, high: number];
};

/** How many times slower or dearer. `verdict` is null with fewer than five baseline runs: nothing may fail because of it. */
export type RatioVerdict = {
  ratio: number;
  low: number;
  high: number;
  cases: number;
  verdict: 'more' | 'not_more' | 'undecided' | null;
};

/** One metric over the cases that have a score on both sides: case means from 0 to 1, after minus before. It fails nothing by itself. */
export type ComparedMetric = {
  metric: string;
  cases: number;
  before: number;
  after: number;
  difference: number;
  /** The interval of the difference, with the level of the comparison. */
  low: number;
  high: number;
  /** Chance of a difference as large, in either direction, if nothing changed; `p_adjusted` over all metrics. */
  p: number;
  p_adjusted: number;
  verdict: 'better' | 'not_clear' | 'worse';
};

/** A suspect that was run again: its counts before, its fresh runs, and the chance of them if nothing changed. */
export type ConfirmedCase = {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  before: { passed: number; measured: number };
  fresh: { passed: number; measured: number };
  p_adjusted: number;
  proven: boolean;
};

export type Comparison = {
  /** The baseline as the user named it, of a run that was compared while it was on. */
  against?: string;
  verdict: ComparisonVerdict;
  /** Whether `compare` exits with 1: worse, or a proven case. */
  fails: boolean;
  /** Points. */
  margin: number;
  alpha: number;
  /** Null if no case was measured on both sides. */
  difference: RateDifference | null;
  /** Pass rates in percent over the same cases. */
  rates: { before: number; after: number } | null;
  /** `run_sd`: how much the runs before differ among themselves beyond chance, in points; null with fewer than five. */
  baseline: { runs: number; run_sd: number | null };
  /** How many more runs of the new version, or of both, would decide; null if it is decided. */
  more_runs: { after: number | null; both: number | null } | null;
  /** True if the drop would be a verdict, were it not that whole runs before differ as much. */
  within_run_differences: boolean;
  /** Counts of all cases by plain fact. */
  counts: Record<Change, number>;
  /** Counts of all cases by verdict. */
  verdicts: Record<CaseVerdict, number> & { proven: number };
  /** Cases without noise among those that were compared. */
  deterministic: number;
  durations: RatioVerdict | null;
  cost: RatioVerdict | null;
  tokens: RatioVerdict | null;
  /** The scores of each metric, by name; left out if no case has a score on both sides. */
  metrics?: ComparedMetric[];
  /** Of a run that was compared while it was on: the rounds it had, those it was looked at, and the level of each look. */
  rounds?: { done: number; looks: number[]; level: number };
  /** Fresh runs of suspects. */
  confirmed?: ConfirmedCase[];
  /** What differs between the runs besides the code. */
  notes: string[];
  runs: { before: SideRun[]; after: SideRun[] };
  /** The most important first. */
  cases: ComparedCase[];
};

/** The facts of a run that decide whether another run can be compared with it. */
export type SideRun = {
  run_id: string;
  started_at: string;
  commit: string | null;
  agent_id: string;
  /** Fingerprint of its agents; null if unknown. */
  agent_sha256: string | null;
  connector: string | null;
  /** Fingerprint of the scripts and agents that judge; null if they are unknown or there are none. */
  judge_sha256: string | null;
  /** The run chose the number of repetitions by itself. */
  is_auto: boolean;
  /** The folder that all answers came from; null if any of them did not come from a recording. */
  replayed_from: string | null;
  /** Set if recorded answers were judged: the run that they come from; empty if it has no log. */
  graded_from?: string;
};
