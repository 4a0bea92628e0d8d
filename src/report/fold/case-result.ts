// One case as reports show it: the plain fields, then the figures over its runs.

import type { KindId } from '../../model/subject.ts';
import type { CaseInput } from '../../model/case.ts';
import type { ResultEvent } from '../../model/event.ts';
import type { Outcome, SkipReason, Status } from '../../model/outcome.ts';
import { isMeasured } from '../../model/outcome.ts';
import type { CaseScores } from '../../model/scores.ts';
import { addScores, attemptScores, meanScores, roundedScore } from '../../model/scores.ts';
import type { QuarantineMark } from '../../model/quarantine.ts';
import { countRun, noRuns, settleCounts } from '../../model/settle.ts';
import type { PassRule, RunCounts } from '../../model/settle.ts';
import type { Stability } from '../../stats/stability.ts';
import { measureStability } from '../../stats/stability.ts';

/** The result of one run of a case. */
export type RunDetail = { run: number; status: Status; duration_ms: number; output: unknown } & Omit<
  Outcome,
  'status' | 'duration_ms' | 'output'
>;

/**
 * An entry of a report's `results`. The plain fields of a case with several runs are those of the first run that ended
 * as the case did; `duration_ms` is the average.
 */
export type CaseResult = {
  id: string;
  status: Status;
  input: CaseInput | null;
  output: unknown;
  expected: unknown;
  duration_ms: number;
  error: string | null;
  test_id: string;
  agent_id?: string;
  description?: string;
  tags?: string[];
  line?: number;
  variables?: Record<string, unknown>;
  /** Its failure does not fail the run. */
  quarantined?: QuarantineMark;
} & Omit<Outcome, 'status' | 'output' | 'duration_ms' | 'error' | 'reason'> &
  Stability & {
    /** The mean score of each metric over its measured runs. */
    scores?: Record<string, number>;
    /** The most runs of `--runs auto` did not decide it. */
    undecided?: true;
    run_details?: RunDetail[];
  };

/** A case that was not run; `message` is the reason of a test that skipped itself. */
export type SkippedCase = {
  id: string;
  test_id: string;
  reason: SkipReason;
  message?: string;
  variables?: Record<string, unknown>;
};

/** A case whose runs are all known. */
export type SettledCase =
  { ran: true; kind: KindId; result: CaseResult } | { ran: false; kind: KindId; skipped: SkippedCase };

/** How a case is settled; `counts` are those of its runs, if they are known. */
type Settling = { runsPerCase: number; passRule: PassRule; missing?: number; counts?: RunCounts };

/** Combines the runs of a case; there is at least one. */
export function settledCase(
  runs: readonly [ResultEvent, ...ResultEvent[]],
  { runsPerCase, passRule, missing = 0, counts = countsOf(runs) }: Settling,
): SettledCase {
  const [first] = runs;
  const { kind } = first;
  const end = settleCounts({ ...counts, skipped: counts.skipped + missing }, passRule);
  if (end.status === 'skipped') return { ran: false, kind, skipped: skippedCase(runs, missing) };
  const shown = runs.find((run) => run.status === end.status) ?? first;
  const { status: _, duration_ms, output, error, reason: __, ...rest } = pickOutcome(shown);
  const stability = measureStability(runs);
  const result: CaseResult = {
    id: first.id,
    status: end.status,
    input: first.input ?? null,
    output: output ?? null,
    expected: first.expected ?? null,
    duration_ms: runs.length === 1 ? duration_ms : (stability.avg_duration_ms ?? duration_ms),
    error: error ?? null,
    ...caseOrigin(first),
    ...rest,
    ...stability,
  };
  // The rate of a case that ran until it was decided depends on when that was.
  if (typeof passRule === 'object' && end.pass_rate !== null) result.pass_rate = rounded(end.pass_rate);
  const scores = caseScores(runs);
  if (scores !== undefined) result.scores = scores;
  if (end.undecided === true) result.undecided = true;
  if (runs.length > 1 || runsPerCase > 1) {
    result.run_details = runs
      .filter((run) => run.status !== 'skipped')
      .sort((a, b) => a.run - b.run)
      .map((run) => toRunDetail(run));
  }
  return { ran: true, kind, result };
}

/** The mean of each metric over the runs; undefined if no run has a score. */
function caseScores(runs: readonly ResultEvent[]): Record<string, number> | undefined {
  const sums: CaseScores = new Map();
  for (const run of runs) {
    const scores = attemptScores(run);
    if (scores !== undefined) addScores(sums, scores);
  }
  if (sums.size === 0) return undefined;
  const means = [...meanScores(sums)].map(([metric, mean]) => [metric, roundedScore(mean)] as const);
  return Object.fromEntries(means.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function countsOf(runs: readonly ResultEvent[]): RunCounts {
  const counts = noRuns();
  for (const run of runs) countRun(counts, run);
  return counts;
}

function rounded(percent: number): number {
  return Math.round(10 * percent) / 10;
}

/** True if the case did not pass because of errors that are not the agent's. */
export function isUnmeasured({ status, code, run_details }: CaseResult): boolean {
  if (status !== 'error') return false;
  const runs = run_details ?? [{ status, code }];
  return !runs.some((run) => run.status === 'error' && isMeasured(run));
}

function skippedCase(runs: readonly [ResultEvent, ...ResultEvent[]], missing: number): SkippedCase {
  const [{ id, test_id, variables }] = runs;
  const explained = runs.find((run) => run.reason !== undefined);
  const reason = explained?.reason ?? (missing > 0 ? 'interrupted' : 'skip');
  const message = explained?.skip_message;
  return { id, test_id, reason, message, variables };
}

function toRunDetail(event: ResultEvent): RunDetail {
  const { status, duration_ms, output, ...rest } = pickOutcome(event);
  return { run: event.run, status, duration_ms, output: output ?? null, ...rest };
}

type Origin = Pick<
  CaseResult,
  'test_id' | 'agent_id' | 'description' | 'tags' | 'line' | 'variables' | 'quarantined'
>;

function caseOrigin(event: ResultEvent): Origin {
  const { test_id, agent_id, description, tags, line, variables, quarantined } = event;
  const origin: Origin = { test_id };
  if (agent_id !== undefined) origin.agent_id = agent_id;
  if (description !== undefined) origin.description = description;
  if (tags !== undefined) origin.tags = tags;
  if (line !== undefined) origin.line = line;
  if (variables !== undefined) origin.variables = variables;
  if (quarantined !== undefined) origin.quarantined = quarantined;
  return origin;
}

/** The fields of an event that are known only after the execution. */
function pickOutcome(event: ResultEvent): Outcome {
  const {
    type: _type,
    key: _key,
    kind: _kind,
    test_id: _testId,
    id: _id,
    run: _run,
    agent_id: _agentId,
    input: _input,
    expected: _expected,
    description: _description,
    tags: _tags,
    line: _line,
    variables: _variables,
    quarantined: _quarantined,
    position: _position,
    uncounted: _uncounted,
    ...outcome
  } = event;
  return outcome;
}
