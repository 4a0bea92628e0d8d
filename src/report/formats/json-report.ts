// The JSON report as a type: what `jsonReport` writes, what `evaluate` and `TestEngine` give.

import type { StartEvent, Summary } from '../../model/event.ts';
import type { LoggedIsolation } from '../../model/isolation.ts';
import type { ResolvedVariables } from '../../model/origin.ts';
import type { CaseK, SuiteK } from '../../stats/pass-at-k.ts';
import type { ByVariable } from '../fold/by-variable.ts';
import type { CaseResult, SkippedCase } from '../fold/case-result.ts';
import type { DefinedTest } from '../fold/logged-definitions.ts';
import type { Selections } from '../fold/selections.ts';

/** The counts of a run, in cases unless the name says runs. */
export type ReportSummary = Omit<Summary, 'duration_ms'> & {
  /** Null if the run did not finish. */
  duration_ms: number | null;
  /** Missing in a report about script tests or skill tests only. */
  agent_id?: string;
  connector?: string | null;
  /** How many cases were planned. */
  total_cases: number;
} & Partial<SuiteK>;

/** One case that ran, with the figures over its runs. */
export type ReportResult = CaseResult & Partial<CaseK>;

/** Everything that stands around the cases. */
export type ReportFrame = {
  summary: ReportSummary;
  selections?: Selections[];
  environment: StartEvent['environment'];
  /** What the user said about the run. */
  note?: string;
  /** The agent was not isolated from this program or from the judgement; missing in the usual case. */
  isolation?: LoggedIsolation;
  suite?: string;
  resolved_variables?: ResolvedVariables;
  tests?: DefinedTest[];
} & Partial<ByVariable>;

export type JsonReport = ReportFrame & {
  results: ReportResult[];
  skipped_cases: SkippedCase[];
  metadata: { started_at: string; completed_at: string | null; version: string; run_id: string };
};
