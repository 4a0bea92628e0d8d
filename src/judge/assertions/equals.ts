// equals: the answer is exactly the value.

import type { AssertionType } from '../assertion.ts';
import { missingValue, PASS } from '../assertion.ts';
import { deepEqual } from '../deep-equal.ts';
import { diffOf } from '../diff.ts';
import { jsonOf } from '../output.ts';

/** Deep equality; against a value that is no text, the JSON found in a text answer is compared. */
export const equals: AssertionType = {
  fields: ['value'],
  check: missingValue,
  judge({ value: expected }, { output }) {
    if (deepEqual(output, expected)) return PASS;
    const json = typeof output === 'string' && typeof expected !== 'string' ? jsonOf(output) : undefined;
    if (json !== undefined && deepEqual(json.value, expected)) return PASS;
    const actual = json === undefined ? output : json.value;
    return {
      pass: false,
      message: 'the answer is not the expected one',
      expected,
      actual,
      diff: diffOf(expected, actual),
    };
  },
};
