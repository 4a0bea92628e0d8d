// cost: the answer was cheap enough.

import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { quote } from '../../text/quote.ts';
import { VALUE } from '../fields.ts';

/** The highest price allowed, in US dollars; an unknown price cannot be judged. */
export const cost: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (typeof value === 'number' && value >= 0) return NO_PROBLEMS;
    return [{ message: `"cost" needs a number of US dollars as "value", not ${quote(value)}` }];
  },
  judge({ value: expected }, { transcript }) {
    const actual = transcript.cost_usd;
    if (typeof actual !== 'number') throw new Error('the cost of the answer is not known');
    if (actual <= Number(expected)) return PASS;
    return {
      pass: false,
      message: `the answer cost $${actual}, more than $${String(expected)}`,
      expected,
      actual,
    };
  },
};
