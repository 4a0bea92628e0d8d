// The comparison in the summary of a run, as a shape.

import type {
  ComparedCase,
  ComparedMetric,
  ComparedSide,
  Comparison,
  ConfirmedCase,
  SideRun,
} from '../model/comparison.ts';
import type { Field } from '../schema/object.ts';
import { list, object, optional, record, required } from '../schema/object.ts';
import { anything, boolean, integer, nullable, number, oneOf, string } from '../schema/values.ts';

type FieldsOf<Value> = { [Name in keyof Value]-?: Field };

const free = { others: 'free' } as const;
const many = { isEmptyFine: true } as const;
const count = integer('a whole number from 0', { minimum: 0 });
const counts = <Name extends string>(...names: Name[]): Record<Name, Field> =>
  // The cast is safe: every name gets a field.
  Object.fromEntries(names.map((name) => [name, required(count)])) as Record<Name, Field>;
const figures = <Name extends string>(...names: Name[]): Record<Name, Field> =>
  Object.fromEntries(names.map((name) => [name, required(number)])) as Record<Name, Field>;

const identity = {
  test_id: required(string),
  case_id: required(string),
  variables: required(nullable(record(anything))),
};
const measured = object(counts('passed', 'measured'), free);

const SIDE: FieldsOf<ComparedSide> = {
  status: required(oneOf('passed', 'failed', 'timeout', 'error', 'skipped')),
  ...counts('passed', 'measured', 'runs'),
  pass_rate: required(nullable(number)),
  avg_duration_ms: required(nullable(number)),
  cost_usd: required(nullable(number)),
};
const side = required(nullable(object(SIDE, free)));

const CASE: FieldsOf<ComparedCase> = {
  ...identity,
  change: required(oneOf('changed', 'improved', 'new', 'regressed', 'removed', 'unchanged', 'unmeasured')),
  verdict: required(nullable(oneOf('improved', 'regressed', 'suspect', 'unproven'))),
  proven: required(boolean),
  p: required(nullable(number)),
  p_adjusted: required(nullable(number)),
  false_share: required(nullable(number)),
  ground: optional(oneOf('graded', 'replay', 'script', 'skill')),
  before: side,
  after: side,
};

const RUN: FieldsOf<SideRun> = {
  run_id: required(string),
  started_at: required(string),
  commit: required(nullable(string)),
  agent_id: required(string),
  agent_sha256: required(nullable(string)),
  connector: required(nullable(string)),
  judge_sha256: required(nullable(string)),
  is_auto: required(boolean),
  replayed_from: required(nullable(string)),
  graded_from: optional(string),
};
const runs = required(list(object(RUN, free), many));

const CONFIRMED: FieldsOf<ConfirmedCase> = {
  ...identity,
  before: required(measured),
  fresh: required(measured),
  p_adjusted: required(number),
  proven: required(boolean),
};

const ratio = required(
  nullable(
    object(
      {
        ...figures('ratio', 'low', 'high'),
        cases: required(count),
        verdict: required(nullable(oneOf('more', 'not_more', 'undecided'))),
      },
      free,
    ),
  ),
);

const METRIC: FieldsOf<ComparedMetric> = {
  metric: required(string),
  cases: required(count),
  ...figures('before', 'after', 'difference', 'low', 'high', 'p', 'p_adjusted'),
  verdict: required(oneOf('better', 'not_clear', 'worse')),
};

const COMPARISON: FieldsOf<Comparison> = {
  against: optional(string),
  verdict: required(oneOf('better', 'not_worse', 'slightly_worse', 'undecided', 'worse')),
  fails: required(boolean),
  margin: required(number),
  alpha: required(number),
  difference: required(
    nullable(
      object(
        {
          ...figures('value', 'low', 'high', 'level', 'p_worse', 'p_better'),
          cases: required(count),
          interval_like_these: required(list(number)),
        },
        free,
      ),
    ),
  ),
  rates: required(nullable(object(figures('before', 'after'), free))),
  baseline: required(object({ runs: required(count), run_sd: required(nullable(number)) }, free)),
  more_runs: required(
    nullable(object({ after: required(nullable(count)), both: required(nullable(count)) }, free)),
  ),
  within_run_differences: required(boolean),
  counts: required(
    object(counts('changed', 'improved', 'new', 'regressed', 'removed', 'unchanged', 'unmeasured'), free),
  ),
  verdicts: required(object(counts('improved', 'proven', 'regressed', 'suspect', 'unproven'), free)),
  deterministic: required(count),
  durations: ratio,
  cost: ratio,
  tokens: ratio,
  metrics: optional(list(object(METRIC, free), many)),
  rounds: optional(
    object({ done: required(count), looks: required(list(count, many)), level: required(number) }, free),
  ),
  confirmed: optional(list(object(CONFIRMED, free), many)),
  notes: required(list(string, many)),
  runs: required(object({ before: runs, after: runs }, free)),
  cases: required(list(object(CASE, free), many)),
};

export const comparison = object(COMPARISON, free);
