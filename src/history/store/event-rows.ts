// Converts events to rows.

import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Usage } from '../../model/agent.ts';
import type { ResultEvent, StartEvent, SummaryEvent } from '../../model/event.ts';
import { inputKind } from '../../model/subject.ts';
import type { GitOrigin } from '../../model/origin.ts';
import { isMeasured } from '../../model/outcome.ts';
import { toWellFormed } from '../../json/well-formed.ts';
import { canonicalJson } from '../../stats/canonical.ts';
import type { CaseSums, ResultsTable, SummaryColumns, TestRunsTable } from './schema.ts';

/** A result before it is inserted, without the database's number of its run. */
export type ResultRow = Omit<Insertable<ResultsTable>, 'id' | 'run_no'> & {
  /** Kept with the case. */
  case_sha: string | null;
};

/** The columns that counting needs. */
export type CountedRow = Pick<
  ResultRow,
  | 'case_id'
  | 'code'
  | 'cost_usd'
  | 'duration_ms'
  | 'status'
  | 'test_id'
  | 'uncounted'
  | 'usage'
  | 'variables_sha256'
>;

export const NO_COUNTS: Readonly<CaseSums> = {
  passed: 0,
  failed: 0,
  timeouts: 0,
  errors: 0,
  unmeasured: 0,
  skipped: 0,
  uncounted: 0,
  duration_ms: 0,
  cost_usd: 0,
  tokens: 0,
  unpriced: 0,
};

/** Longer errors are complete only in the event. */
const LONGEST_ERROR = 2000;
/** PostgreSQL takes at most 2,700 bytes of an indexed row. */
const LONGEST_NAME = 200;

/** The row of a result; `line` is the event as in the log. */
export function resultRow(event: ResultEvent, line?: string): ResultRow {
  const { variables, usage } = event;
  return {
    key: name(event.key),
    kind: text(event.kind),
    test_id: name(event.test_id),
    case_id: name(event.id),
    run: event.run,
    agent_id: event.agent_id === undefined ? null : text(event.agent_id),
    status: event.status,
    code: event.code ?? null,
    error: event.error === undefined ? null : text(event.error.slice(0, LONGEST_ERROR)),
    duration_ms: event.duration_ms,
    variables_sha256: variablesHash(variables),
    variables: json(variables),
    usage: json(usage),
    cost_usd: event.cost_usd ?? null,
    line: event.line ?? null,
    event: line ?? JSON.stringify(event),
    // A run that a decided run did not need is not missing.
    uncounted: event.uncounted ?? (event.reason === 'decided' ? 'decided' : null),
    case_sha: event.case_sha ?? null,
  };
}

/** The same hash for equal sets of variables; empty without variables. */
export function variablesHash(variables: Record<string, unknown> | undefined): string {
  if (variables === undefined || Object.keys(variables).length === 0) return '';
  return sha256(canonicalJson(variables));
}

/** What one result adds to its case. */
export function resultCounts(row: CountedRow): CaseSums {
  const counts: CaseSums = { ...NO_COUNTS };
  if (row.usage !== null && row.usage !== undefined) {
    const { input_tokens: sent, output_tokens: received } = JSON.parse(row.usage) as Usage;
    counts.tokens = (sent ?? 0) + (received ?? 0);
    counts.cost_usd = row.cost_usd ?? 0;
    if (row.cost_usd === null) counts.unpriced = 1;
  }
  if (row.uncounted !== null && row.uncounted !== undefined) return { ...counts, uncounted: 1 };
  const measured = isMeasured({ status: row.status, ...(row.code && { code: row.code }) });
  if (measured) counts.duration_ms = row.duration_ms;
  counts[countColumn(row, measured)] = 1;
  return counts;
}

function countColumn({ status }: CountedRow, measured: boolean): keyof CaseSums {
  if (status === 'timeout') return 'timeouts';
  if (status === 'error') return measured ? 'errors' : 'unmeasured';
  return status;
}

/** The columns of a run known at its start. */
export function startRow(start: StartEvent): Omit<Insertable<TestRunsTable>, keyof SummaryColumns | 'no'> & {
  min_pass_rate: number | null;
} {
  const { origin = {} } = start;
  const minPassRate = start.flags['min_pass_rate'];
  return {
    run_id: start.run_id,
    started_at: time(start.timestamp),
    agent_id: text(start.agent_id),
    agent_sha256: agentFingerprint(start),
    kinds: JSON.stringify(listKinds(start)),
    total_cases: start.total_cases,
    runs_per_case: start.runs_per_case,
    connector: start.connector === undefined ? null : text(start.connector),
    judge_sha256: start.judge_sha256 ?? null,
    environment: JSON.stringify(start.environment),
    inputs: JSON.stringify(start.inputs),
    // Facts of few runs have no column of their own.
    flags: JSON.stringify({
      ...start.flags,
      ...storedIsolation(start),
      ...(start.graded !== undefined && { graded: start.graded }),
    }),
    cwd: text(start.cwd),
    version: text(start.version),
    matrix: json(start.matrix),
    resolved_variables: json(start.resolved_variables),
    ...gitRow(origin.git),
    node: origin.node ?? null,
    os: origin.os ?? null,
    machine: origin.machine ?? null,
    ci: origin.ci ?? null,
    note: start.note === undefined ? null : text(start.note),
    min_pass_rate: typeof minPassRate === 'number' ? minPassRate : null,
  };
}

/** It has no column of its own: few runs have it, and nothing selects runs by it. */
function storedIsolation({ isolation }: StartEvent): { isolation?: string } {
  return isolation === undefined ? {} : { isolation };
}

/** The commit columns of a run; null if unknown. */
export function gitRow(
  git: GitOrigin | undefined,
): Pick<TestRunsTable, 'git_branch' | 'git_commit' | 'git_dirty'> {
  return {
    git_branch: git?.branch === undefined ? null : text(git.branch),
    git_commit: git?.commit ?? null,
    git_dirty: git?.dirty === undefined ? null : Number(git.dirty),
  };
}

/** The columns of a run known at its end. */
export function summaryRow(summary: SummaryEvent): Omit<SummaryColumns, 'min_pass_rate'> & {
  min_pass_rate?: number;
} {
  return {
    finished_at: time(summary.timestamp),
    exit_code: summary.exit_code,
    total: summary.total,
    passed: summary.passed,
    failed: summary.failed,
    skipped: summary.skipped,
    errors: summary.errors,
    timeouts: summary.timeouts,
    total_runs: summary.total_runs,
    stable_cases: summary.stable_cases,
    unstable_cases: summary.unstable_cases,
    overall_pass_rate: summary.overall_pass_rate,
    duration_ms: summary.duration_ms,
    checks: json(summary.checks),
    usage: json(summary.usage),
    cost_usd: summary.cost_usd ?? null,
    ...(summary.min_pass_rate !== undefined && { min_pass_rate: summary.min_pass_rate }),
  };
}

/** A time as ISO text in UTC, which sorts by time. */
export function time(timestamp: string): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? text(timestamp) : date.toISOString();
}

export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A name that fits an index: shortens a long one to its beginning and its hash. */
export function name(value: string): string {
  const whole = text(value);
  return whole.length <= LONGEST_NAME ? whole : text(`${whole.slice(0, LONGEST_NAME - 65)}~${sha256(whole)}`);
}

/** Neither database can store a NUL or half a surrogate pair. */
function text(value: string): string {
  const whole = toWellFormed(value);
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole;
}

/** The fingerprint of one agent, or a combined one of several. */
function agentFingerprint({ inputs }: StartEvent): string | null {
  const hashes = [...new Set(inputs.map((input) => input.agent_sha256))].sort();
  const [first] = hashes;
  if (first === undefined) return null;
  return hashes.length === 1 ? first : sha256(hashes.join('\n'));
}

function listKinds({ inputs }: StartEvent): string[] {
  return [...new Set(inputs.map(inputKind))].sort();
}
