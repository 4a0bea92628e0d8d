// What an assertion is made of, and the verdict on one that failed.

import { format } from 'node:util';
import { diffOf } from '../judge/diff.ts';
import type { Verdict } from '../model/outcome.ts';
import { reportValue } from './report-value.ts';
import { cutText, isError, showLines } from './show.ts';

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
/** How many characters of each side are compared. */
const MAX_COMPARED = 200_000;

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
  const diff = failure.isComparison === true ? usefulDiff(failure.expected, failure.actual) : undefined;
  return {
    type,
    status: 'failed',
    message: messageFor(failure, author),
    ...('expected' in failure && { expected: reportValue(failure.expected) }),
    ...('actual' in failure && { actual: reportValue(failure.actual) }),
    ...(diff !== undefined && { diff }),
    ...(score !== undefined && { score }),
    ...(reason !== undefined && { reason }),
    ...(at !== undefined && { at }),
    ...(subtest !== undefined && { subtest }),
  };
}

/** Two lists, two objects or two texts of several lines; anything else is plain enough side by side. */
function usefulDiff(expected: unknown, actual: unknown): string | undefined {
  if (typeof expected === 'string' && typeof actual === 'string') {
    return expected.includes('\n') || actual.includes('\n') ? diffOf(expected, actual) : undefined;
  }
  if (!isStructure(expected) || !isStructure(actual)) return undefined;
  const [before, after] = [reportValue(expected, MAX_COMPARED), reportValue(actual, MAX_COMPARED)];
  if (isStructure(before) && isStructure(after) && JSON.stringify(before) !== JSON.stringify(after)) {
    return diffOf(before, after);
  }
  const [left, right] = [showLines(expected), showLines(actual)];
  return left.includes('\n') || right.includes('\n') ? diffOf(left, right) : undefined;
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isError(value);
}
