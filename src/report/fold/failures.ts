// Lists why a run did not pass, for all human-readable reports.

import type { KindId } from '../../model/subject.ts';
import type { Outcome, Verdict } from '../../model/outcome.ts';
import { roundDown } from '../../text/round-down.ts';
import { reportKind } from '../kinds/registry.ts';

/** One reason. `title` names the assertion or the kind of error, unless the message does. All texts are untrusted. */
export type Failure = {
  title?: string;
  message: string;
  detail?: FailureDetail;
  /** Position in the source of the test. */
  at?: string;
  /** The subtest of a script test. */
  subtest?: string;
};

export type FailureDetail =
  | { type: 'diff'; text: string }
  /** The first frames of the stack in user code. */
  | { type: 'stack'; frames: string[] }
  | { type: 'values'; expected?: string; actual?: string };

const FRAMES = 3;
/** A frame inside Node or a package. */
const FOREIGN = /(?:\(|\bat |\basync )node:|[\\/]node_modules[\\/]/;

/** The facts about a run that its failures are made of. */
export type Judged = {
  status: Outcome['status'];
  error?: string | null;
  code?: Outcome['code'];
  verdicts?: Verdict[];
  score?: number;
  pass_score?: number;
  stack?: unknown;
  after_error?: string;
};

/** Lists the failed assertions, after the score that was not reached; without failed assertions, the error of the run. */
export function listFailures(run: Judged, kind: KindId = 'agent-eval'): Failure[] {
  if (run.status === 'passed' || run.status === 'skipped') return [];
  const { after_error: after } = run;
  const failures = attemptFailures(run, kind);
  // If only the `after` hook failed, its error is the error of the run and is listed already.
  return after === undefined || after === run.error ? failures : [...failures, { message: after }];
}

function attemptFailures(run: Judged, kind: KindId): Failure[] {
  const broken = (run.verdicts ?? []).filter(
    ({ status, advisory }) => status !== 'passed' && advisory !== true,
  );
  const { failureOf } = reportKind(kind);
  const failures = broken.map((verdict) => failureOf(verdict));
  const isExplained = broken.length > 0 && (run.status === 'failed' || run.code === 'judge');
  if (isExplained) return [...scoreFailure(run), ...failures];
  const message = run.error ?? `${run.status}, and no reason was recorded`;
  const reason: Failure = isTitled(run, kind) ? { title: run.code, message } : { message };
  const frames = userFrames(run.stack);
  if (frames.length > 0) reason.detail = { type: 'stack', frames };
  return [reason, ...failures];
}

/** Where a score decides, the failed assertions alone do not explain a failure. */
function scoreFailure({ status, score, pass_score }: Judged): Failure[] {
  if (status !== 'failed' || score === undefined || pass_score === undefined) return [];
  return [{ title: 'pass_score', message: `score ${roundDown(score)}, wanted at least ${pass_score}` }];
}

/** The exception of a script test or a skill test is its own, and there is no agent in it. */
function isTitled(run: Judged, kind: KindId): run is Judged & { code: string } {
  return (
    run.status === 'error' &&
    run.code !== undefined &&
    !(run.code === 'agent' && reportKind(kind).throwsItself === true)
  );
}

/** The stack frames in user code, innermost first. */
export function userFrames(stack: unknown): string[] {
  // User code may replace Error.prepareStackTrace, so a stack may be of any type.
  if (typeof stack !== 'string') return [];
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && !FOREIGN.test(line));
  return frames.slice(0, FRAMES).map((line) => line.trim());
}

/** The first line of a failure. */
export function failureHeadline({ title, message, subtest }: Failure): string {
  return [subtest, title, message].filter((part) => part !== undefined).join(': ');
}

/** `expected: 1` and `actual: 2`, without the unknown ones. */
export function valueTexts(detail: FailureDetail & { type: 'values' }): string[] {
  const { expected, actual } = detail;
  const texts = expected === undefined ? [] : [`expected: ${expected}`];
  return actual === undefined ? texts : [...texts, `actual: ${actual}`];
}
