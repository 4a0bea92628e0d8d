// equals: the answer is exactly the value.

import type { AssertionType } from '../assertion.ts';
import { missingValue, PASS } from '../assertion.ts';
import { deepEqual } from '../deep-equal.ts';
import { describeDiff } from '../diff.ts';
import { isCertainlyEqual } from '../exact-numbers.ts';
import { answerJson } from '../output.ts';
import { VALUE } from '../fields.ts';

/** Deep equality. If the answer is text and the value is not, the JSON found in the text is compared. */
export const equals: AssertionType = {
  fields: { value: VALUE },
  check: missingValue,
  judge({ value: expected }, { output }) {
    if (isCertainlyEqual(deepEqual(output, expected), expected)) return PASS;
    const json = typeof output === 'string' && typeof expected !== 'string' ? answerJson(output) : undefined;
    const isSame = json !== undefined && deepEqual(json.value, expected);
    if (isCertainlyEqual(isSame, expected)) return PASS;
    const actual = json === undefined ? output : json.value;
    return {
      pass: false,
      message: 'the answer is not the expected one',
      expected,
      actual,
      diff: describeDiff(expected, actual),
    };
  },
};
