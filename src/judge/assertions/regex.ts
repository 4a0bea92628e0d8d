// regex: a pattern is found in the answer.

import { messageOf } from '../../errors.ts';
import { compilePattern } from '../../platform/regex.ts';
import type { AssertionType } from '../assertion.ts';
import { missingText, NO_PROBLEMS, PASS } from '../assertion.ts';
import { answerText } from '../output.ts';
import { VALUE } from '../fields.ts';

/** Go's syntax, found anywhere in the text of the answer; a structured answer is its compact JSON text. */
export const regex: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === '') return missingText(assertion);
    if (typeof value !== 'string') return [{ message: '"regex" needs a pattern as "value", a string' }];
    try {
      compilePattern(value);
      return NO_PROBLEMS;
    } catch (error) {
      return [
        {
          message: messageOf(error),
          hint: 'patterns have the syntax of Go (RE2), without look-around and back-references',
        },
      ];
    }
  },
  judge({ value }, { output }) {
    if (compilePattern(String(value)).test(answerText(output))) return PASS;
    return {
      pass: false,
      message: `the answer does not match ${String(value)}`,
      expected: value,
      actual: output,
    };
  },
};
