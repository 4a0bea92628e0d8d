// Why a run did not pass, as one list: what every human-readable report shows below a case.

import type { Kind } from '../../model/attempt.ts';
import type { Outcome, Verdict } from '../../model/outcome.ts';
import { scriptFailureOf } from '../kinds/script/failure.ts';
import { readableText } from '../../text/untrusted.ts';

/** One reason: which assertion or what kind of error, if the message does not say so itself. All of it may be hostile. */
export type Failure = {
  title?: string;
  message: string;
  detail?: FailureDetail;
  /** Where in the test's source it stands. */
  at?: string;
  /** The part of a script test it is about. */
  subtest?: string;
};

export type FailureDetail =
  | { type: 'diff'; text: string }
  /** Where user code threw: the first frames. */
  | { type: 'stack'; frames: string[] }
  | { type: 'values'; expected?: string; actual?: string };

const FRAMES = 3;
/** A frame inside Node or a package. */
const FOREIGN = /(?:\(|\bat |\basync )node:|[\\/]node_modules[\\/]/;

/** What is needed to know of a run. */
export type Judged = {
  status: Outcome['status'];
  error?: string | null;
  code?: Outcome['code'];
  verdicts?: Verdict[];
  stack?: unknown;
  after_error?: string;
};

/** Every assertion that did not hold; without one, the error itself. */
export function failuresOf(run: Judged, kind: Kind = 'agent-eval'): Failure[] {
  if (run.status === 'passed' || run.status === 'skipped') return [];
  const { after_error: after } = run;
  const failures = failuresOfAttempt(run, kind);
  // The hook after it may be the only thing that failed, and has been told then.
  return after === undefined || after === run.error ? failures : [...failures, { message: after }];
}

function failuresOfAttempt(run: Judged, kind: Kind): Failure[] {
  const broken = (run.verdicts ?? []).filter((verdict) => verdict.status !== 'passed');
  // A later version may know other kinds.
  const failures = broken.map(Object.hasOwn(FAILURES, kind) ? FAILURES[kind] : failureOf);
  const isExplained = broken.length > 0 && (run.status === 'failed' || run.code === 'judge');
  if (isExplained) return failures;
  const message = run.error ?? `${run.status}, and no reason was recorded`;
  const reason: Failure = isTitled(run, kind) ? { title: run.code, message } : { message };
  const frames = framesOf(run.stack);
  if (frames.length > 0) reason.detail = { type: 'stack', frames };
  return [reason, ...failures];
}

/** The exception of a script test or a skill test is its own, and there is no agent in it. */
function isTitled(run: Judged, kind: Kind): run is Judged & { code: string } {
  return run.status === 'error' && run.code !== undefined && !(kind !== 'agent-eval' && run.code === 'agent');
}

const FAILURES: Record<Kind, (verdict: Verdict) => Failure> = {
  'agent-eval': failureOf,
  script: scriptFailureOf,
  // The test says it in its own words.
  skill: ({ message = 'a check failed' }) => ({ message }),
};

/** The places in the user's own code that a stack names, innermost first. */
export function framesOf(stack: unknown): string[] {
  // User code may have replaced Error.prepareStackTrace, which can make anything of a stack.
  if (typeof stack !== 'string') return [];
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && !FOREIGN.test(line));
  return frames.slice(0, FRAMES).map((line) => line.trim());
}

/** The first line of a failure. */
export function headlineOf({ title, message, subtest }: Failure): string {
  return [subtest, title, message].filter((part) => part !== undefined).join(': ');
}

/** `expected: 1` and `actual: 2`, as far as they are known. */
export function valueTexts(detail: FailureDetail & { type: 'values' }): string[] {
  const { expected, actual } = detail;
  const texts = expected === undefined ? [] : [`expected: ${expected}`];
  return actual === undefined ? texts : [...texts, `actual: ${actual}`];
}

function failureOf(verdict: Verdict): Failure {
  const message = verdict.message ?? (verdict.status === 'error' ? 'could not be judged' : 'does not hold');
  const { path } = verdict;
  const place = path === undefined || message.includes(path) ? '' : ` ${path}`;
  const turn = verdict.turn === undefined ? '' : `turn ${String(verdict.turn)}: `;
  // An error of the code `agent` is the agent's own; here it is the judge who could not be used.
  const isJudges = verdict.status === 'error' && verdict.type === 'agent';
  const type = isJudges ? 'judge' : `${verdict.negate === true ? 'not ' : ''}${verdict.type}`;
  const title = `${turn}${type}${place}`;
  const detail = detailOf(verdict);
  return detail === undefined ? { title, message } : { title, message, detail };
}

function detailOf({ type, diff, expected, actual }: Verdict): FailureDetail | undefined {
  if (diff !== undefined && diff !== '') return { type: 'diff', text: diff };
  if (expected === undefined && actual === undefined) return undefined;
  const shown = type === 'latency' ? rounded : (value: unknown) => value;
  return { type: 'values', expected: readableText(shown(expected)), actual: readableText(shown(actual)) };
}

/** Clocks count finer than anybody wants to read. */
function rounded(value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
