// is_json: the answer is JSON, and fits a JSON Schema if there is one.

import type { AssertionType } from '../assertion.ts';
import { NO_PROBLEMS, PASS } from '../assertion.ts';
import { parseJson } from '../../json/parse-json.ts';
import { optional } from '../../schema/object.ts';
import { boolean } from '../../schema/values.ts';
import { VALUE } from '../fields.ts';
import { answerJson } from '../output.ts';
import { checkSchema, judgeSchema } from '../json-schema.ts';

/** The whole answer is JSON; with `in_text`, a part of it is enough, found as `json_path` does. */
export const isJson: AssertionType = {
  fields: { in_text: optional(boolean, 'JSON inside of a text is enough, for is_json'), value: VALUE },
  check: ({ value }) => (value === undefined ? NO_PROBLEMS : checkSchema(value)),
  place: ({ value }) => (value === undefined ? undefined : 'apart'),
  judge({ value, in_text }, { output }) {
    if (output === null || output === undefined) return { pass: false, message: 'no answer' };
    const json = typeof output === 'string' && in_text !== true ? parseJson(output) : answerJson(output);
    if (json !== undefined) return value === undefined ? PASS : judgeSchema(value, json.value);
    const message = in_text === true ? 'no JSON found in the answer' : notJson(output);
    return { pass: false, message, actual: output };
  },
};

function notJson(output: unknown): string {
  const more = answerJson(output) === undefined ? '' : '; "in_text": true accepts the JSON inside of it';
  return `the answer as a whole is not JSON${more}`;
}
