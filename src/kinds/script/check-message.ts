// Checks what comes from script workers before it is used: code of tests can write to their channel and into their recovery file.

import type { FromWorker } from '../../execute/process/protocol.ts';
import { isObject } from '../../json/is-object.ts';
import type { ErrorCode, Outcome, SkipReason, Status, Verdict } from '../../model/outcome.ts';
import type { Subtest } from '../../model/script.ts';

type Check = (value: unknown) => boolean;
type Checks<T> = { [Name in keyof T]-?: Check };

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => typeof value === 'number' && value >= 0 && value < Infinity;
const isWhole: Check = (value) => Number.isSafeInteger(value);
const isListOf =
  (isElement: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isElement);
const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.some((one) => one === value);
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const isSettled: Check = (value) => isObject(value) && isWhole(value['seq']);

/** The messages of a script worker, and their fields. */
const MESSAGES: Partial<Record<FromWorker['type'], Record<string, Check>>> = {
  closed: { isSpent: isOptional((value) => value === true) },
  dropped: { seqs: isListOf(isWhole) },
  more: {},
  pong: {},
  progress: {},
  ready: {},
  secrets: { secrets: isListOf(isText) },
  settled: { settled: isListOf(isSettled) },
};

/** True for a message of the worker itself. The first one, `ready`, comes before the worker has its token. */
export function isMessage(message: FromWorker, token: string): boolean {
  const { type, ...fields }: Record<string, unknown> = message;
  if (typeof type !== 'string' || !Object.hasOwn(MESSAGES, type)) return false;
  if (type !== 'ready' && fields['token'] !== token) return false;
  // It has this property, as is checked above.
  const checks = Object.entries(MESSAGES[type as FromWorker['type']] ?? {});
  return checks.every(([name, check]) => check(fields[name]));
}

const STATUSES: Status[] = ['passed', 'failed', 'timeout', 'error', 'skipped'];
const CODES: ErrorCode[] = ['agent', 'connection', 'rate_limit', 'auth', 'protocol', 'judge', 'harness'];
const REASONS: SkipReason[] = ['skip', 'fail_fast', 'interrupted'];

const VERDICT: Partial<Checks<Verdict>> = {
  type: isText,
  status: isOneOf('passed', 'failed', 'error'),
  message: isOptional(isText),
  diff: isOptional(isText),
  score: isOptional((value) => value === null || Number.isFinite(value)),
  reason: isOptional(isText),
  at: isOptional(isText),
  subtest: isOptional(isText),
};
const SUBTEST: Checks<Subtest> = {
  name: isText,
  status: isOneOf('passed', 'failed', 'skipped', 'error'),
  duration_ms: isCount,
  error: isOptional(isText),
};

/** The fields of the outcome of a script test. */
const OUTCOME = {
  status: isOneOf(...STATUSES),
  duration_ms: isCount,
  after_error: isOptional(isText),
  assertions: isOptional((value) => isWhole(value) && isCount(value)),
  code: isOptional(isOneOf(...CODES)),
  error: isOptional(isText),
  logs: isOptional(isListOf(isText)),
  reason: isOptional(isOneOf(...REASONS)),
  skip_message: isOptional(isText),
  stack: isOptional(isText),
  subtests: isOptional(isListOf((value) => hasShape(value, SUBTEST))),
  verdicts: isOptional(isListOf((value) => hasShape(value, VERDICT))),
} satisfies Partial<Record<keyof Outcome, Check>>;

const OUTCOME_CHECKS = Object.entries<Check>(OUTCOME);

/** The outcome that a worker reports: known fields only, and no time that is longer than this process has waited. */
export function checkedOutcome(reported: unknown, elapsedMs: number): Outcome {
  if (!isObject(reported)) return unreadable('it is no object');
  const known: Record<string, unknown> = {};
  for (const [name, check] of OUTCOME_CHECKS) {
    const value = reported[name];
    if (!check(value)) return unreadable(`"${name}" is ${value === undefined ? 'missing' : 'wrong'}`);
    if (value !== undefined) known[name] = value;
  }
  // Its fields are checked above.
  const outcome = known as Outcome;
  outcome.duration_ms = Math.min(outcome.duration_ms, Math.max(0, Math.ceil(elapsedMs)));
  for (const subtest of outcome.subtests ?? [])
    subtest.duration_ms = Math.min(subtest.duration_ms, outcome.duration_ms);
  return outcome;
}

function unreadable(problem: string): Outcome {
  const error = `the worker reported a result that cannot be read: ${problem}`;
  return { status: 'error', code: 'harness', duration_ms: 0, error };
}

function hasShape(value: unknown, checks: Record<string, Check>): boolean {
  return isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
}
