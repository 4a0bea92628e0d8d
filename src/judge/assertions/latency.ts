// latency: the answer came in time.

import { messageOf } from '../../errors.ts';
import { formatDuration, parseDuration } from '../../text/duration.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { quote } from '../../text/quote.ts';
import { VALUE } from '../fields.ts';

/** The longest duration allowed: a Go duration (`2s`) or a number of milliseconds. */
export const latency: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    if (assertion.value === undefined) return missingValue(assertion);
    try {
      parseLimit(assertion.value);
      return NO_PROBLEMS;
    } catch (error) {
      return [{ message: messageOf(error) }];
    }
  },
  judge({ value: expected }, { duration_ms: actual }) {
    // A recorded session may have no times.
    if (Number.isNaN(actual)) throw new Error('the recording does not say how long the agent took');
    if (actual <= parseLimit(expected)) return PASS;
    const limit = formatDuration(parseLimit(expected));
    return {
      pass: false,
      message: `the answer took ${formatDuration(actual)}, longer than ${limit}`,
      expected,
      actual,
    };
  },
};

function parseLimit(value: unknown): number {
  if (typeof value === 'string') return parseDuration(value);
  if (typeof value === 'number' && value > 0) return value;
  throw new Error(`invalid duration ${quote(value)}: write it like "2s", or as milliseconds`);
}
