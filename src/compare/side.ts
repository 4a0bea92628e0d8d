// One side of a comparison: what one run, or several runs of the same version, measured of each case.

import { caseKey } from '../model/case-key.ts';
import type { SideRun } from '../model/comparison.ts';
import type { CaseScores } from '../model/scores.ts';
import type { Status } from '../model/outcome.ts';
import type { KindId } from '../model/subject.ts';
import { isCredentialName } from '../secrets/credential-name.ts';
import { canonicalJson } from '../stats/canonical.ts';

export type Side = {
  /** Newest first. */
  runs: SideRun[];
  cases: SideCase[];
};

/** The measurements of a case in one run, or in all runs of a side. */
export type Measurements = {
  passed: number;
  measured: number;
  /** A typical duration of a measured attempt. */
  duration_ms: number | null;
  /** Mean of an attempt; null if it is unknown or a price is. */
  cost_usd: number | null;
  tokens: number | null;
};

export type SideCase = Measurements & {
  test_id: string;
  case_id: string;
  variables: Record<string, unknown> | null;
  kind: KindId;
  /** By the rules of its run; of the newest run that has it. */
  status: Status;
  /** Hash of its input, expected value and assertions; null if unknown. */
  content: string | null;
  /** Attempts that could not be measured. */
  unmeasured: number;
  /** The scores of its measured attempts, by metric; undefined without any. */
  scores?: CaseScores;
  /** Equal attempts have ended differently, so one more failure may be chance. */
  flips: boolean;
  /** In the order of the runs, if the side has at least `RUNS_FOR_RUN_EFFECT`; null for a run without the case. */
  by_run?: (Measurements | null)[];
};

/** Identifies a case: cases of two runs with the same text are the same case. Another API key makes no other case. */
export function sideCaseKey({
  test_id,
  case_id,
  variables,
}: Pick<SideCase, 'case_id' | 'test_id' | 'variables'>): string {
  if (variables === null) return caseKey(test_id, case_id);
  const plain = Object.entries(variables).filter(([name]) => !isCredentialName(name));
  return caseKey(test_id, case_id, plain.length === 0 ? '' : canonicalJson(Object.fromEntries(plain)));
}
