// expression: JavaScript of the user judges the answer.

import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS } from '../assertion.ts';
import { THRESHOLD, VALUE } from '../fields.ts';
import { parseExpression } from '../../scripts/expressions/parse-expression.ts';
import { quote } from '../../text/quote.ts';

/** The value is an expression, or statements with `return`, that gives a boolean, a score or `{pass, score, message}`. */
export const expression: AssertionType = {
  fields: { threshold: THRESHOLD, value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (typeof value !== 'string')
      return [{ message: `"expression" needs JavaScript as "value", a string, not ${quote(value)}` }];
    const parsed = parseExpression(value);
    return 'problem' in parsed
      ? [{ message: `the expression is not valid: ${parsed.problem}` }]
      : NO_PROBLEMS;
  },
  place: () => 'here',
  async judge(assertion, subject, deps) {
    const { judgeExpression } = await import('../user-code/judge-expression.ts');
    return judgeExpression(assertion, subject, deps);
  },
};
