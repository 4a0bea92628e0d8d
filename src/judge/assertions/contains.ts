// contains, icontains, not_contains: the value is somewhere in the answer, or nowhere.

import type { Problem } from '../../errors.ts';
import type { Assertion } from '../../model/case.ts';
import type { AssertionType } from '../assertion.ts';
import { missingText, NO_PROBLEMS, PASS } from '../assertion.ts';
import { containsValue } from '../contains-value.ts';
import { quote } from '../../text/quote.ts';
import { IGNORE_CASE, VALUE } from '../fields.ts';

export const contains: AssertionType = {
  fields: { ignore_case: IGNORE_CASE, value: VALUE },
  check: checkValue,
  judge: ({ value, ignore_case }, { output }) =>
    containsValue(output, value, { ignoreCase: ignore_case === true }) ? PASS : missing(value, output),
};

/** `contains` without regard to case. */
export const icontains: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    if (assertion.value === undefined || typeof assertion.value === 'string') return missingText(assertion);
    return [{ message: `"icontains" needs a text as "value", not ${quote(assertion.value)}` }];
  },
  judge: ({ value }, { output }) =>
    containsValue(output, value, { ignoreCase: true }) ? PASS : missing(value, output),
};

export const notContains: AssertionType = {
  fields: { ignore_case: IGNORE_CASE, value: VALUE },
  check: checkValue,
  judge({ value, ignore_case }, { output }) {
    if (!containsValue(output, value, { ignoreCase: ignore_case === true })) return PASS;
    return { pass: false, message: `the answer contains ${quote(value)}`, expected: value, actual: output };
  },
};

function missing(value: unknown, output: unknown): ReturnType<AssertionType['judge']> {
  const message = `the answer does not contain ${quote(value)}`;
  return { pass: false, message, expected: value, actual: output };
}

function checkValue(assertion: Assertion): readonly Problem[] {
  const { type, value, ignore_case } = assertion;
  if (ignore_case !== true || typeof value !== 'object') return missingText(assertion);
  const message = `"${type}" with "ignore_case" needs a text as "value", not ${quote(value)}`;
  return value === null ? NO_PROBLEMS : [{ message }];
}
