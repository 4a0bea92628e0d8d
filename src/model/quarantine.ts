// Cases in quarantine: they run and are shown, and their failures do not fail the run.

import type { Attempt } from './attempt.ts';
import type { Counted, CaseEnd } from './settle.ts';

/** The file in the root of an application. */
export const QUARANTINE_FILE = 'quarantine.yml';

/** What results and reports say about the quarantine of a case. `until` is its last day, like 2026-01-31. */
export type QuarantineMark = { reason: string; until: string; owner?: string };

/** A case in quarantine that is proven worse than its own history, so that its failure counts. */
export type WorseCase = {
  test_id: string;
  id: string;
  variables?: Record<string, unknown>;
  before: { passed: number; runs: number };
  now: { passed: number; runs: number };
  /** Adjusted for all cases in quarantine. */
  p: number;
};

/** Counts of a run, in cases. */
export type QuarantineCounts = {
  cases: number;
  /** The part of the failed cases that does not fail the run. */
  failed: number;
  /** Left out if there are none. */
  worse?: WorseCase[];
};

/** The quarantine during a run. */
export type Quarantine = {
  markOf(attempt: Attempt): QuarantineMark | undefined;
  /** Hears every outcome, also those of an earlier part of the run, and the end of its case once that is known. */
  heard(attempt: Attempt, outcome: Counted, settled: { end: CaseEnd; complete: boolean } | undefined): void;
  /** The counts at the end of the run. */
  counts(): QuarantineCounts;
};
