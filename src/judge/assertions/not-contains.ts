// not_contains: the value is nowhere in the answer.

import type { AssertionType } from '../assertion.ts';
import { missingValue, PASS } from '../assertion.ts';
import { containsValue } from '../contains-value.ts';
import { quote } from '../../text/quote.ts';
import { VALUE } from '../fields.ts';

export const notContains: AssertionType = {
  fields: { value: VALUE },
  check: missingValue,
  judge({ value }, { output }) {
    if (!containsValue(output, value)) return PASS;
    return { pass: false, message: `the answer contains ${quote(value)}`, expected: value, actual: output };
  },
};
