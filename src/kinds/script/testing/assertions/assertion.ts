// The parts of an assertion, and the verdict on a failed one.

import { format } from 'node:util';
import type { Verdict } from '../../../../model/outcome.ts';
import { reportValue } from './report-value.ts';
import { ellipsize } from '../../../../text/cut-text.ts';
import { comparedSides } from './value-difference.ts';

/** Why an assertion failed. */
export type Failure = {
  /** A sentence that states the expectation. */
  message: string;
  expected?: unknown;
  actual?: unknown;
  /** Expected and actual are comparable values: show their difference. */
  isComparison?: boolean;
  /** The arguments cannot be judged; reported even if the author gave a message. */
  isMisuse?: boolean;
  score?: number;
  reason?: string;
};

type CheckResult = Failure | undefined;

/** An assertion: its parameters before the author's message, and the check that returns a failure. */
export type AssertionCheck = {
  parameters: readonly string[];
  check(...args: unknown[]): CheckResult | PromiseLike<CheckResult>;
};

const MAX_MESSAGE = 4000;

/** A failure because the arguments cannot be judged. It is never a pass, not even for negative assertions. */
export function misuse(message: string): Failure {
  return { message, isMisuse: true };
}

/** The failure of an assertion that lacks arguments. */
export function tooFewArguments(name: string, parameters: readonly string[], count: number): Failure {
  const given = count === 0 ? 'none' : `only ${String(count)}`;
  return misuse(`${name} takes (${parameters.join(', ')}, message?), but was given ${given}`);
}

/** The author's message, if there is one, formatted with the arguments behind it: `('row %d', 3)`. */
export function authorMessage(words: readonly unknown[]): string | undefined {
  const [first] = words;
  if (first === undefined || first === null || first === '') return undefined;
  return ellipsize(formatSafely(words), MAX_MESSAGE);
}

/** Like util.format, but never throws. */
export function formatSafely(words: readonly unknown[]): string {
  try {
    return format(...words);
  } catch {
    return '[unprintable value]';
  }
}

/** The author's message replaces ours, unless the arguments could not be judged. */
export function messageFor({ message, isMisuse = false }: Failure, author: string | undefined): string {
  if (author === undefined) return message;
  return isMisuse ? `${author}: ${message}` : author;
}

/** The verdict on an assertion that failed. */
export function verdictOn(
  type: string,
  failure: Failure,
  {
    author,
    at,
    subtest,
  }: { author?: string | undefined; at?: string | undefined; subtest?: string | undefined },
): Verdict {
  const { score, reason } = failure;
  const sides = failure.isComparison === true ? comparedSides(failure.expected, failure.actual) : {};
  return {
    type,
    status: 'failed',
    message: messageFor(failure, author),
    ...('expected' in failure && { expected: reportValue(failure.expected) }),
    ...('actual' in failure && { actual: reportValue(failure.actual) }),
    ...sides,
    score,
    reason,
    at,
    subtest,
  };
}
