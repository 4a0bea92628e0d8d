// schema: the answer fits a JSON Schema.

import type { AssertionType } from '../assertion.ts';
import { missingValue, PASS } from '../assertion.ts';
import { compileSchema } from '../../json/json-schema.ts';
import { answerJson } from '../output.ts';
import { isObject } from '../../json/is-object.ts';
import { VALUE } from '../fields.ts';
import { checkSchema, judgeSchema } from '../json-schema.ts';

/** The JSON of the answer fits the schema in `value`. If the schema accepts strings, a text answer may fit it as well. */
export const schema: AssertionType = {
  fields: { value: VALUE },
  check: (assertion) =>
    assertion.value === undefined ? missingValue(assertion) : checkSchema(assertion.value),
  // `uniqueItems` and branching references take quadratic or exponential time.
  place: () => 'apart',
  judge({ value: expected }, { output }) {
    const isText = typeof output === 'string' && acceptsText(expected);
    if (isText && compileSchema(expected)(output).length === 0) return PASS;

    // Prose must not pass by accident: `{"required": ["a"]}` accepts every string.
    const json = answerJson(output) ?? (isText ? { value: output } : undefined);
    if (json === undefined)
      return { pass: false, message: 'no JSON found in the answer', expected, actual: output };
    return judgeSchema(expected, json.value);
  },
};

function acceptsText(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, const: only, enum: choices } = value as { type?: unknown; const?: unknown; enum?: unknown };
  if (type === 'string' || typeof only === 'string') return true;
  if (Array.isArray(type) && type.includes('string')) return true;
  return Array.isArray(choices) && choices.some((choice) => typeof choice === 'string');
}
