// json_path: a part of the answer is the value.

import { messageOf } from '../../errors.ts';
import { nearest } from '../../text/nearest.ts';
import type { AssertionType, Judgement } from '../assertion.ts';
import { NO_PROBLEMS, PASS } from '../assertion.ts';
import { deepEqual } from '../deep-equal.ts';
import { describeDiff } from '../diff.ts';
import { isCertainlyEqual } from '../exact-numbers.ts';
import { compileJsonPath, type PathResult } from '../../json/json-path.ts';
import { parsePlainPath } from '../../json/plain-path.ts';
import { answerJson } from '../output.ts';
import { quote } from '../../text/quote.ts';
import { isObject } from '../../json/is-object.ts';
import { VALUE } from '../fields.ts';
import { optional, withSchemaRules } from '../../schema/object.ts';
import { anything } from '../../schema/values.ts';

/**
 * Compares the result of a path in the JSON of the answer with the value.
 * - A path to one value must equal the value. If the value is a list and the result is not, it must equal one element.
 * - A path to many values (wildcards, filters) must give a list equal to the value, or a single element equal to it.
 * - Without a value, the path only has to exist.
 */
export const jsonPath: AssertionType = {
  fields: {
    path: optional(withSchemaRules(anything, { type: 'string' }), 'JSONPath, for json_path'),
    value: VALUE,
  },
  check({ path }) {
    if (typeof path !== 'string' || path.trim() === '') {
      return [{ message: '"json_path" needs a "path", such as "$.field.sub"' }];
    }
    try {
      compileJsonPath(path);
      return NO_PROBLEMS;
    } catch (error) {
      return [{ message: `path ${quote(path)}: ${messageOf(error)}` }];
    }
  },
  // `$..*..*` finds more than the answer holds.
  place: ({ path = '' }) => (parsePlainPath(path) === undefined ? 'apart' : undefined),
  judge({ path = '', value: expected }, { output }) {
    const json = answerJson(output);
    if (json === undefined)
      return { pass: false, message: 'no JSON found in the answer', expected, actual: output };

    const found = compileJsonPath(path).query(json.value);
    if (found.kind === 'missing')
      return { pass: false, message: describeMissing(path, found), expected, actual: json.value };
    return expected === undefined ? PASS : compare(path, found, expected);
  },
};

function compare(
  path: string,
  found: Exclude<PathResult, { kind: 'missing' }>,
  expected: unknown,
): Judgement {
  if (found.kind === 'list') {
    const [only] = found.values;
    const isSame =
      deepEqual(found.values, expected) || (found.values.length === 1 && deepEqual(only, expected));
    if (isCertainlyEqual(isSame, expected)) return PASS;
    const actual = found.values;
    const message = `path ${path} leads to ${quote(actual)}, not to ${quote(expected)}`;
    return { pass: false, message, expected, actual, diff: describeDiff(expected, actual) };
  }

  const actual = found.value;
  if (isCertainlyEqual(deepEqual(actual, expected), expected)) return PASS;
  if (Array.isArray(expected) && !Array.isArray(actual)) {
    if (expected.some((choice) => isCertainlyEqual(deepEqual(actual, choice), choice))) return PASS;
    const message = `path ${path} is ${quote(actual)}, which is none of ${quote(expected)}`;
    return { pass: false, message, expected, actual, diff: describeDiff(expected, actual) };
  }
  const message = `path ${path} is ${quote(actual)}, not ${quote(expected)}`;
  return { pass: false, message, expected, actual, diff: describeDiff(expected, actual) };
}

/** The message for a missing path. Lists the existing keys, those most similar to the missing one first. */
function describeMissing(path: string, { parent, name }: { parent: unknown; name?: string }): string {
  const text = `path ${path} not found`;
  if (Array.isArray(parent)) return `${text}: there is a list of ${parent.length}`;
  if (!isObject(parent)) return `${text}: there is ${quote(parent)}`;
  const keys = Object.keys(parent).slice(0, 1000);
  if (keys.length === 0) return `${text}: there is an empty object`;
  const close = name === undefined ? [] : nearest(name, keys);
  const listed = [...new Set([...close, ...keys])];
  const more = listed.length > 10 ? ', …' : '';
  const there = `${text}: there is ${listed.slice(0, 10).map(quote).join(', ')}${more}`;
  return close[0] === undefined ? there : `${there}; did you mean ${quote(close[0])}?`;
}
