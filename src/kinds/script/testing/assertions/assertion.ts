// What an assertion is made of, and the verdict on one that failed.

import { format } from 'node:util';
import type { Verdict } from '../../../../model/outcome.ts';
import { reportValue } from './report-value.ts';
import { cutText } from './show.ts';
import { comparedSides } from './value-difference.ts';

/** Why an assertion does not hold. */
export type Failure = {
  /** A sentence that says what was expected. */
  message: string;
  expected?: unknown;
  actual?: unknown;
  /** Expected and actual are values of the same kind, whose difference is worth showing. */
  isComparison?: boolean;
  /** The assertion was called with something it cannot judge, which its author has to know. */
  isMisuse?: boolean;
  score?: number;
  reason?: string;
};

type Found = Failure | undefined;

/** An assertion: what it takes before the author's message, and what it finds wrong. */
export type AssertionCheck = {
  parameters: readonly string[];
  check(...args: unknown[]): Found | PromiseLike<Found>;
};

const MAX_MESSAGE = 4000;

/** The assertion cannot be judged like this, which is a failure: nobody shall take it for a pass. */
export function misuse(message: string): Failure {
  return { message, isMisuse: true };
}

/** The failure of an assertion that lacks arguments. */
export function tooFewArguments(name: string, parameters: readonly string[], count: number): Failure {
  const given = count === 0 ? 'none' : `only ${String(count)}`;
  return misuse(`${name} takes (${parameters.join(', ')}, message?), but was given ${given}`);
}

/** The author's words, if there are any, formatted with what follows them: `('row %d', 3)`. */
export function authorMessage(words: readonly unknown[]): string | undefined {
  const [first] = words;
  if (first === undefined || first === null || first === '') return undefined;
  return cutText(formatSafely(words), MAX_MESSAGE);
}

/** util.format, whatever the values are. */
export function formatSafely(words: readonly unknown[]): string {
  try {
    return format(...words);
  } catch {
    return '[something that cannot be shown]';
  }
}

/** The author's words say it, unless the assertion could not even be judged. */
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
    ...(score !== undefined && { score }),
    ...(reason !== undefined && { reason }),
    ...(at !== undefined && { at }),
    ...(subtest !== undefined && { subtest }),
  };
}
