// contains: the value is somewhere in the answer.

import type { AssertionType } from '../assertion.ts';
import { missingValue, PASS } from '../assertion.ts';
import { containsValue } from '../contains-value.ts';
import { quote } from '../../text/quote.ts';
import { VALUE } from '../fields.ts';

export const contains: AssertionType = {
  fields: { value: VALUE },
  check: missingValue,
  judge({ value }, { output }) {
    if (containsValue(output, value)) return PASS;
    return {
      pass: false,
      message: `the answer does not contain ${quote(value)}`,
      expected: value,
      actual: output,
    };
  },
};
