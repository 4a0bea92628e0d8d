// The events of a run log as shapes: what a line must have so that reports, history and later runs can rely on it.

import { isObject } from '../json/is-object.ts';
import type {
  ProvenanceEvent,
  ResultEvent,
  ResumeEvent,
  RunEvent,
  SelectionEvent,
  StartEvent,
  SummaryEvent,
} from '../model/event.ts';
import { EXIT } from '../model/exit-code.ts';
import type { GateResult } from '../model/gate.ts';
import { ISOLATIONS } from '../model/isolation.ts';
import type { CheckpointState, Verdict } from '../model/outcome.ts';
import type { RunsRule } from '../model/runs-rule.ts';
import { MOST_RUNS } from '../model/runs-rule.ts';
import type { MetricSummary } from '../model/scores.ts';
import type { Subtest } from '../model/script.ts';
import type { Field } from '../schema/object.ts';
import { list, object, optional, record, required } from '../schema/object.ts';
import type { Shape } from '../schema/shape.ts';
import { comparison } from './comparison-shape.ts';
import {
  anything,
  boolean,
  count as atMost,
  integer,
  name,
  nullable,
  oneOf,
  string,
  that,
} from '../schema/values.ts';

/** Every field of an event has a shape; logs of later versions may have more. */
type FieldsOf<Event> = { [Name in keyof Event]-?: Field };

const free = { others: 'free' } as const;
const texts = list(string, { isEmptyFine: true });
const values = list(anything, { isEmptyFine: true });
const fields = record(anything);
const amount = that<number>('a number from 0', { type: 'number', minimum: 0 }, isAmount);
const count = integer('a whole number from 0', { minimum: 0 });
const ordinal = integer('a whole number from 1', { minimum: 1 });
/** The rule of a log is computed again from its numbers, which takes long for large ones. */
const limitedCount = integer(`a whole number from 1 to ${MOST_RUNS}`, { minimum: 1, maximum: MOST_RUNS });
/** As many as `--runs` takes. */
const runsPerCase = atMost(1_000_000);
const time = that<string>(
  'a time like 2026-01-31T12:00:00Z',
  { type: 'string', format: 'date-time' },
  isTime,
);

// Older versions wrote null for unknown counts.
const usage = object(
  { input_tokens: optional(nullable(amount)), output_tokens: optional(nullable(amount)) },
  free,
);
const checks = object({ passed: required(count), failed: required(count), skipped: optional(count) }, free);
const spending = { usage: optional(usage), cost_usd: optional(nullable(amount)) };
const resolved = object({ values: required(fields), sources: required(fields) }, free);
const git = object({ commit: required(string), ...texted('branch'), dirty: optional(boolean) }, free);
const defined = object({ id: required(string), name: required(string) }, free);
const given = object({ values: required(fields), matrix: required(record(values)) }, free);

const input = object(
  {
    type: required(name),
    agent_id: required(string),
    agent_sha256: required(string),
    ...texted('path', 'sha256', 'generated', 'message', 'input', 'script', 'script_path', 'file'),
    ...texted('skill', 'skill_type', 'skill_path', 'test', 'test_id'),
    runs: optional(runsPerCase),
    resolved_variables: optional(resolved),
  },
  free,
);

/** Flags that a later run takes as they are; all others are parsed again. */
const flags = object(
  {
    only: optional(texts),
    outputs: optional(texts),
    given: optional(given),
    definition: optional(
      object(
        {
          tests: optional(texts),
          suite: optional(string),
          given: required(given),
          untyped: required(texts),
          pairwise: optional(boolean),
          seed: optional(that<number>('a number', { type: 'number' }, Number.isFinite)),
        },
        free,
      ),
    ),
  },
  free,
);

const mark = object({ reason: required(string), until: required(string), owner: optional(string) }, free);
const tries = object({ passed: required(count), runs: required(count) }, free);
const worse = object(
  {
    test_id: required(string),
    id: required(string),
    variables: optional(fields),
    before: required(tries),
    now: required(tries),
    p: required(amount),
  },
  free,
);
const quarantine = object(
  { cases: required(count), failed: required(count), worse: optional(list(worse)) },
  free,
);
const RUNS_RULE: FieldsOf<RunsRule> = {
  target: required(amount),
  low: required(amount),
  high: required(amount),
  min: required(ordinal),
  max: required(limitedCount),
  confidence: required(amount),
  undecided: required(oneOf('fail', 'pass')),
};

const START: FieldsOf<StartEvent> = {
  type: required(string),
  run_id: required(name),
  log_version: required(ordinal),
  timestamp: required(time),
  agent_id: required(string),
  total_cases: required(count),
  runs_per_case: required(runsPerCase),
  runs_rule: optional(object(RUNS_RULE, free)),
  connector: optional(string),
  judge_sha256: optional(string),
  environment: required(
    object({ user_id: required(string), team_id: required(string), locale: required(string) }, free),
  ),
  isolation: optional(oneOf(...ISOLATIONS)),
  inputs: required(list(input, { isEmptyFine: true })),
  flags: required(flags),
  cwd: required(string),
  note: optional(string),
  version: required(string),
  graded: optional(
    object({ from: required(texts), format: required(string), run_id: optional(string) }, free),
  ),
  origin: optional(object({ git: optional(git), ...texted('node', 'os', 'machine', 'ci') }, free)),
  suite: optional(string),
  matrix: optional(record(values)),
  resolved_variables: optional(resolved),
  definitions: optional(
    object(
      {
        types: required(list(defined, { isEmptyFine: true })),
        tests: required(list(defined, { isEmptyFine: true })),
        suite: optional(defined),
      },
      free,
    ),
  ),
};

const finite = that<number>('a number', { type: 'number' }, Number.isFinite);
const VERDICT: FieldsOf<Verdict> = {
  type: required(string),
  status: required(oneOf('passed', 'failed', 'error')),
  negate: optional(boolean),
  expected: optional(anything),
  actual: optional(anything),
  score: optional(finite),
  weight: optional(amount),
  advisory: optional(boolean),
  // Verdicts inside of a verdict are shown only.
  verdicts: optional(list(object({ type: required(string), status: required(string) }, free))),
  turn: optional(ordinal),
  ...spending,
  ...texted('message', 'path', 'diff', 'reason', 'metric', 'checkpoint', 'at', 'subtest'),
};

const SUBTEST: FieldsOf<Subtest> = {
  name: required(string),
  status: required(oneOf('passed', 'failed', 'skipped', 'error')),
  duration_ms: required(amount),
  error: optional(string),
};

const CHECKPOINT: FieldsOf<CheckpointState> = {
  id: required(string),
  required: required(boolean),
  reached: required(boolean),
  turn: optional(ordinal),
};

const RESULT: FieldsOf<ResultEvent> = {
  type: required(string),
  key: required(name),
  kind: required(name),
  test_id: required(string),
  id: required(string),
  run: required(ordinal),
  agent_id: optional(string),
  case_sha: optional(string),
  input: optional(anything),
  expected: optional(anything),
  description: optional(string),
  tags: optional(texts),
  line: optional(ordinal),
  position: optional(ordinal),
  variables: optional(fields),
  uncounted: optional(oneOf('confirm', 'decided')),
  quarantined: optional(mark),
  status: required(oneOf('passed', 'failed', 'timeout', 'error', 'skipped')),
  duration_ms: required(amount),
  output: optional(anything),
  ...texted('error', 'code', 'stack', 'reason', 'leaks', 'skip_message', 'after_error'),
  verdicts: optional(list(object(VERDICT, free), { isEmptyFine: true })),
  score: optional(finite),
  pass_score: optional(amount),
  // Agents make them, so the items may be anything.
  tool_calls: optional(values),
  messages: optional(values),
  sent_messages: optional(list(object({}, free), { isEmptyFine: true })),
  trace: optional(
    list(that('a step or a line of a trace', { type: 'object' }, isTraced), { isEmptyFine: true }),
  ),
  answer_metadata: optional(fields),
  ...spending,
  first_token_ms: optional(amount),
  turns: optional(count),
  checkpoints: optional(list(object(CHECKPOINT, free), { isEmptyFine: true })),
  simulation: optional(object(spending, free)),
  logs: optional(texts),
  assertions: optional(count),
  subtests: optional(list(object(SUBTEST, free), { isEmptyFine: true })),
  checks: optional(checks),
  retries: optional(count),
  restarted: optional(count),
};

const GATE: FieldsOf<GateResult> = {
  gate: required(string),
  metric: optional(string),
  status: required(oneOf('passed', 'failed', 'undecided', 'unmeasured')),
  figure: required(nullable(amount)),
  interval: optional(object({ low: required(amount), high: required(amount) }, free)),
  decided: optional(oneOf('certain', 'likely')),
  message: optional(string),
};

const METRIC: FieldsOf<MetricSummary> = {
  metric: required(string),
  mean: required(amount),
  interval: optional(object({ low: required(amount), high: required(amount) }, free)),
  cases: required(count),
  min: required(amount),
  max: required(amount),
};

const SUMMARY: FieldsOf<SummaryEvent> = {
  type: required(string),
  timestamp: required(time),
  exit_code: required(oneOf(...Object.values(EXIT))),
  min_pass_rate: optional(amount),
  total: required(count),
  passed: required(count),
  failed: required(count),
  skipped: required(count),
  errors: required(count),
  timeouts: required(count),
  unmeasured: optional(count),
  duration_ms: required(amount),
  total_runs: required(count),
  runs_per_case: required(runsPerCase),
  overall_pass_rate: required(nullable(amount)),
  pass_rate_interval: optional(object({ low: required(amount), high: required(amount) }, free)),
  clusters: optional(object({ by: required(string), groups: required(count), cases: required(count) }, free)),
  stable_cases: required(count),
  unstable_cases: required(count),
  metrics: optional(list(object(METRIC, free), { isEmptyFine: true })),
  metrics_left_out: optional(count),
  checks: optional(checks),
  ...spending,
  incomplete: optional(boolean),
  auto: optional(
    object(
      {
        passed: required(count),
        failed: required(count),
        undecided: required(count),
        runs: required(count),
        saved: required(count),
      },
      free,
    ),
  ),
  gates: optional(list(object(GATE, free), { isEmptyFine: true })),
  comparison: optional(comparison),
  quarantined: optional(quarantine),
};

const RESUME: FieldsOf<ResumeEvent> = {
  type: required(string),
  run_id: required(name),
  timestamp: required(time),
  runs: optional(ordinal),
};

const PROVENANCE: FieldsOf<ProvenanceEvent> = { type: required(string), git: required(git) };

const SELECTION: FieldsOf<SelectionEvent> = {
  type: required(string),
  test_id: required(string),
  id: required(string),
  run: required(ordinal),
  criteria: required(anything),
  choices: required(list(fields, { isEmptyFine: true })),
  best: optional(fields),
  ...texted('reason', 'error'),
  ...spending,
};

/** The events that this version knows, by type. */
const EVENTS: Record<RunEvent['type'], Shape> = {
  provenance: object(PROVENANCE, free),
  result: object(RESULT, free),
  resume: object(RESUME, free),
  selection: object(SELECTION, free),
  start: object(START, free),
  summary: object(SUMMARY, free),
};

/** The shape of a line; undefined if this version does not know such events. */
export function eventShape(value: unknown): Shape | undefined {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
  return typeof type === 'string' && Object.hasOwn(EVENTS, type)
    ? EVENTS[type as RunEvent['type']]
    : undefined;
}

function texted<Name extends string>(...names: Name[]): Record<Name, Field<string, false>> {
  // A cast, because fromEntries forgets the names.
  return Object.fromEntries(names.map((one) => [one, optional(string)])) as Record<
    Name,
    Field<string, false>
  >;
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Steps inside a step are a list. */
function isTraced(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { children = [] } = value;
  return Array.isArray(children) && children.every(isTraced);
}
