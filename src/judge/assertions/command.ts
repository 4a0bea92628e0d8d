// command: a program of the user judges the answer.

import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS } from '../assertion.ts';
import { isName, THRESHOLD, VALUE } from '../fields.ts';
import { isTexts } from '../../json/is-texts.ts';
import { quote } from '../../text/quote.ts';

/**
 * The value is a program and its arguments. It gets the answer as JSON on stdin, and judges by its exit code or by
 * `{pass, score, message}` on stdout.
 */
export const command: AssertionType = {
  fields: { threshold: THRESHOLD, value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (isTexts(value) && isName(value[0])) return NO_PROBLEMS;
    return [
      {
        message: `"command" needs a program and its arguments as "value", not ${quote(value)}`,
        hint: 'write a list such as ["python3", "check.py"]',
      },
    ];
  },
  place: () => 'here',
  async judge(assertion, subject, deps) {
    const { judgeCommand } = await import('../user-code/judge-command.ts');
    return judgeCommand(assertion, subject, deps);
  },
};
