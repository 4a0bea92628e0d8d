// contains_any, contains_all: one of several values, or all of them, are somewhere in the answer.

import type { Problem } from '../../errors.ts';
import type { Assertion } from '../../model/case.ts';
import { quote } from '../../text/quote.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { containsValue } from '../contains-value.ts';
import { IGNORE_CASE, VALUE } from '../fields.ts';

/** More missing values than this are counted. */
const MAX_NAMED = 10;

export const containsAny: AssertionType = {
  fields: { ignore_case: IGNORE_CASE, value: VALUE },
  check: checkValues,
  judge(assertion, { output }) {
    const values = valuesOf(assertion);
    const { ignore_case } = assertion;
    if (values.some((value) => containsValue(output, value, { ignoreCase: ignore_case === true })))
      return PASS;
    const message = `the answer contains none of ${nameValues(values)}`;
    return { pass: false, message, expected: values, actual: output };
  },
};

export const containsAll: AssertionType = {
  fields: { ignore_case: IGNORE_CASE, value: VALUE },
  check: checkValues,
  judge(assertion, { output }) {
    const values = valuesOf(assertion);
    const { ignore_case } = assertion;
    const missing = values.filter(
      (value) => !containsValue(output, value, { ignoreCase: ignore_case === true }),
    );
    if (missing.length === 0) return PASS;
    const message = `the answer does not contain ${nameValues(missing)}`;
    return { pass: false, message, expected: values, actual: output };
  },
};

function checkValues(assertion: Assertion): readonly Problem[] {
  const { type, value, ignore_case } = assertion;
  if (value === undefined) return missingValue(assertion);
  if (!Array.isArray(value)) return [{ message: `"${type}" needs a list as "value", not ${quote(value)}` }];
  if (value.length === 0) return [{ message: `the list of "${type}" is empty` }];
  if (value.includes(''))
    return [{ message: `"${type}" has an empty text in its list, which every answer contains` }];
  const other: unknown = value.find((item) => typeof item === 'object' && item !== null);
  if (ignore_case !== true || other === undefined) return NO_PROBLEMS;
  return [{ message: `"${type}" with "ignore_case" needs a list of texts, not ${quote(other)}` }];
}

/** The check before the run allows lists only. */
function valuesOf({ value }: Assertion): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function nameValues(values: readonly unknown[]): string {
  const named = values.slice(0, MAX_NAMED).map(quote).join(', ');
  return values.length > MAX_NAMED ? `${named} and ${values.length - MAX_NAMED} more` : named;
}
