// type: the answer is of a JSON type.

import { didYouMean } from '../../text/nearest.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { answerJson, jsonType } from '../output.ts';
import { quote } from '../../text/quote.ts';
import { VALUE } from '../fields.ts';

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** The type of the answer. For a text answer, the JSON found in it may have the type as well. */
export const type: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (typeof value === 'string' && TYPES.includes(value)) return NO_PROBLEMS;
    const hint = typeof value === 'string' ? didYouMean(value, TYPES) : undefined;
    return [{ message: `unknown type ${quote(value)}`, hint: hint ?? `the types are ${TYPES.join(', ')}` }];
  },
  judge({ value: expected }, { output }) {
    if (isOfType(output, expected)) return PASS;
    const json = typeof output === 'string' ? answerJson(output) : undefined;
    if (json !== undefined && isOfType(json.value, expected)) return PASS;
    const actual = jsonType(json === undefined ? output : json.value);
    return {
      pass: false,
      message: `the answer is of type ${actual}, not ${String(expected)}`,
      expected,
      actual,
    };
  },
};

function isOfType(value: unknown, expected: unknown): boolean {
  return expected === 'integer' ? Number.isInteger(value) : jsonType(value) === expected;
}
