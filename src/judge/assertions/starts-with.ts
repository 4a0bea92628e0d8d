// starts_with, ends_with: the text of the answer begins or ends with a text.

import type { Problem } from '../../errors.ts';
import type { Assertion } from '../../model/case.ts';
import { quote } from '../../text/quote.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { IGNORE_CASE, VALUE } from '../fields.ts';
import { answerText } from '../output.ts';

/** So much of the answer is shown beside the expected text. */
const SHOWN_MORE = 20;

export const startsWith: AssertionType = {
  fields: { ignore_case: IGNORE_CASE, value: VALUE },
  check: checkText,
  judge({ value, ignore_case }, { output }) {
    const [text, wanted] = [answerText(output), String(value)];
    if (text.startsWith(wanted)) return PASS;
    if (ignore_case === true && text.toLowerCase().startsWith(wanted.toLowerCase())) return PASS;
    const shown = quote(text.slice(0, wanted.length + SHOWN_MORE));
    const message = `the answer starts with ${shown}, not with ${quote(value)}`;
    return { pass: false, message, expected: value, actual: output };
  },
};

export const endsWith: AssertionType = {
  fields: { ignore_case: IGNORE_CASE, value: VALUE },
  check: checkText,
  judge({ value, ignore_case }, { output }) {
    const [text, wanted] = [answerText(output), String(value)];
    if (text.endsWith(wanted)) return PASS;
    if (ignore_case === true && text.toLowerCase().endsWith(wanted.toLowerCase())) return PASS;
    const shown = quote(text.slice(Math.max(0, text.length - wanted.length - SHOWN_MORE)));
    const message = `the answer ends with ${shown}, not with ${quote(value)}`;
    return { pass: false, message, expected: value, actual: output };
  },
};

function checkText(assertion: Assertion): readonly Problem[] {
  const { type, value } = assertion;
  if (value === undefined) return missingValue(assertion);
  if (typeof value === 'string' && value !== '') return NO_PROBLEMS;
  return [{ message: `"${type}" needs a text as "value", not ${quote(value)}` }];
}
