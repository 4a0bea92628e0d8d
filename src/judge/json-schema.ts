// Checks a JSON Schema of an assertion, and a value against it.

import type { Problem } from '../errors.ts';
import { messageOf } from '../errors.ts';
import { compileSchema } from '../json/json-schema.ts';
import type { Judgement } from './assertion.ts';
import { NO_PROBLEMS, PASS } from './assertion.ts';

const MAX_ERRORS = 50;

export function checkSchema(schema: unknown): readonly Problem[] {
  try {
    compileSchema(schema);
    return NO_PROBLEMS;
  } catch (error) {
    return [{ message: `the schema is not valid: ${messageOf(error)}` }];
  }
}

/** Whether the JSON of an answer fits the schema; a failure lists the violations. */
export function judgeSchema(schema: unknown, json: unknown): Judgement {
  const errors = compileSchema(schema)(json).map((error) =>
    error.startsWith('/') ? error : `the answer ${error}`,
  );
  if (errors.length === 0) return PASS;
  const more = errors.length > MAX_ERRORS ? `; and ${errors.length - MAX_ERRORS} more` : '';
  const message = `the answer does not fit the schema: ${errors.slice(0, MAX_ERRORS).join('; ')}${more}`;
  return { pass: false, message, expected: schema, actual: json };
}
