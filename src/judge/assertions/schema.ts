// schema: the answer fits a JSON Schema.

import { messageOf } from '../../errors.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { compileSchema } from '../../json/json-schema.ts';
import { answerJson } from '../output.ts';
import { isObject } from '../../json/is-object.ts';
import { VALUE } from '../fields.ts';

const MAX_ERRORS = 50;

/** The JSON of the answer fits the schema in `value`. If the schema accepts strings, a text answer may fit it as well. */
export const schema: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    if (assertion.value === undefined) return missingValue(assertion);
    try {
      compileSchema(assertion.value);
      return NO_PROBLEMS;
    } catch (error) {
      return [{ message: `the schema is not valid: ${messageOf(error)}` }];
    }
  },
  // `uniqueItems` and branching references take quadratic or exponential time.
  place: () => 'apart',
  judge({ value: expected }, { output }) {
    const validate = compileSchema(expected);
    const isText = typeof output === 'string' && acceptsText(expected);
    if (isText && validate(output).length === 0) return PASS;

    // Prose must not pass by accident: `{"required": ["a"]}` accepts every string.
    const json = answerJson(output) ?? (isText ? { value: output } : undefined);
    if (json === undefined)
      return { pass: false, message: 'no JSON found in the answer', expected, actual: output };
    const errors = validate(json.value).map((error) =>
      error.startsWith('/') ? error : `the answer ${error}`,
    );
    if (errors.length === 0) return PASS;
    const more = errors.length > MAX_ERRORS ? `; and ${errors.length - MAX_ERRORS} more` : '';
    const message = `the answer does not fit the schema: ${errors.slice(0, MAX_ERRORS).join('; ')}${more}`;
    return { pass: false, message, expected, actual: json.value };
  },
};

function acceptsText(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, const: only, enum: choices } = value as { type?: unknown; const?: unknown; enum?: unknown };
  if (type === 'string' || typeof only === 'string') return true;
  if (Array.isArray(type) && type.includes('string')) return true;
  return Array.isArray(choices) && choices.some((choice) => typeof choice === 'string');
}
