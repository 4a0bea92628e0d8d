// A failed assertion of a script test, in words.

import type { Verdict } from '../../../model/outcome.ts';
import type { Failure, FailureDetail } from '../../fold/failures.ts';
import { readableText } from '../../../text/untrusted.ts';

/** The message of a failure that is not an assertion. */
const PLAIN_TYPES = ['error', 'fail', 'fatal'];

export function scriptFailureOf(verdict: Verdict): Failure {
  const { at, subtest } = verdict;
  const detail = detailOf(verdict);
  return {
    message: sentenceOf(verdict),
    ...(detail !== undefined && { detail }),
    ...(at !== undefined && { at }),
    ...(subtest !== undefined && { subtest }),
  };
}

function sentenceOf({ type, message, status, reason }: Verdict): string {
  if (PLAIN_TYPES.includes(type)) return message ?? 'failed';
  const text = message ?? type;
  // The author's message does not know what a judge will say.
  const judged = reason === undefined || text.includes(reason) ? text : `${text}\nreason: ${reason}`;
  return status === 'error' ? `not judged: ${judged}` : `assertion failed: ${judged}`;
}

function detailOf({ diff, expected, actual }: Verdict): FailureDetail | undefined {
  if (diff !== undefined && diff !== '') return { type: 'diff', text: diff };
  if (expected === undefined && actual === undefined) return undefined;
  // 1 and "1" differ, so their texts have to.
  const isAlike =
    expected !== undefined && actual !== undefined && readableText(expected) === readableText(actual);
  const text = isAlike ? JSON.stringify : readableText;
  return {
    type: 'values',
    ...(expected !== undefined && { expected: text(expected) }),
    ...(actual !== undefined && { actual: text(actual) }),
  };
}
