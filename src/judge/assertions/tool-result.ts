// tool_result: a tool that the agent called returned a result.

import type { Problem } from '../../errors.ts';
import { messageOf } from '../../errors.ts';
import type { ToolCall } from '../../model/agent.ts';
import type { Assertion } from '../../model/case.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { AssertionType } from '../assertion.ts';
import { NO_PROBLEMS, PASS } from '../assertion.ts';
import { containsValue } from '../contains-value.ts';
import { pickExpectedKeys, deepEqual, isSuperset } from '../deep-equal.ts';
import { describeDiff } from '../diff.ts';
import { isCertainlyEqual } from '../exact-numbers.ts';
import { quote } from '../../text/quote.ts';
import { findCalls, decodeJson, describeCalls, requireCalls, requireResults } from '../tool-calls.ts';
import { isObject } from '../../json/is-object.ts';
import { VALUE } from '../fields.ts';
import { answerText } from '../output.ts';
import { compilePattern } from '../../platform/regex.ts';
import { optional, withSchemaRules } from '../../schema/object.ts';
import { anything } from '../../schema/values.ts';

const TOOL = optional(
  withSchemaRules(anything, { type: 'string', minLength: 1 }),
  'The tool, for tool_result',
);
const FIELDS = ['name', 'result', 'tool'];
const PATTERN = /^regex:/;

/**
 * The value is `{name, result}`; or `name` is a field of the assertion and the value is the result. `tool` is another name
 * of `name`. One call of the tool must return the result: a text that contains the expected text, an object with at least
 * the expected entries, any other value equal to it. A text `regex:…`, also inside, is a pattern. Without an expected
 * result, one call must not fail.
 */
export const toolResult: AssertionType = {
  fields: {
    name: TOOL,
    tool: TOOL,
    value: VALUE,
  },
  check(assertion) {
    const { value } = assertion;
    const given = nameIn(assertion);
    if (given !== undefined) return [...checkBoth(assertion), ...checkName(given), ...checkPatterns(value)];
    if (!isObject(value))
      return [{ message: `"tool_result" needs {name, result} as "value", not ${quote(value)}` }];
    const unknown = Object.keys(value).filter((field) => !FIELDS.includes(field));
    const problems = unknown.map((field) => ({
      message: `unknown field ${quote(field)} in the value of "tool_result"`,
      hint: didYouMean(field, FIELDS) ?? `it may have ${FIELDS.join(', ')}`,
    }));
    return [...problems, ...checkBoth(value), ...checkName(nameIn(value)), ...checkPatterns(value['result'])];
  },
  judge(assertion, { transcript: { tool_calls: calls } }) {
    requireCalls(calls);
    const { name, expected } = readExpected(assertion);
    const made = findCalls(calls, name);
    if (made.some((call) => hasResult(call, expected))) return PASS;
    requireResults(made);

    const last = made.at(-1);
    if (last === undefined) {
      const message = `tool ${quote(name)} was not called; ${describeCalls(calls)}`;
      return { pass: false, message, expected, actual: calls.map((call) => call.name) };
    }
    if (last.error !== undefined) {
      const message = `tool ${quote(name)} failed: ${last.error}`;
      return { pass: false, message, expected, actual: last.error };
    }
    const actual = decodeJson(last.result, expected);
    const message = `tool ${quote(name)} did not give this result`;
    const compared = isObject(expected) ? pickExpectedKeys(actual, expected) : actual;
    return { pass: false, message, expected, actual, diff: describeDiff(expected, compared) };
  },
};

function hasResult(call: ToolCall, expected: unknown): boolean {
  if (call.error !== undefined || call.result === undefined) return false;
  if (expected === undefined) return true;
  const result = decodeJson(call.result, expected);
  if (typeof expected === 'string' && !PATTERN.test(expected)) return containsValue(result, expected);
  const isSame =
    isObject(expected) || hasPattern(expected)
      ? isSuperset(result, expected, matches)
      : deepEqual(result, expected);
  return isCertainlyEqual(isSame, expected);
}

/** Compares values that are neither objects nor lists. */
function matches(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'string' || !PATTERN.test(expected)) return deepEqual(actual, expected);
  return compilePattern(expected.replace(PATTERN, '')).test(answerText(actual));
}

function hasPattern(expected: unknown): boolean {
  if (typeof expected === 'object' && expected !== null) return Object.values(expected).some(hasPattern);
  return typeof expected === 'string' && PATTERN.test(expected);
}

function readExpected(assertion: Assertion): { name: string; expected: unknown } {
  const { value } = assertion;
  const given = nameIn(assertion);
  if (given !== undefined || !isObject(value)) return { name: String(given), expected: value };
  return { name: String(nameIn(value)), expected: value['result'] };
}

function nameIn(holder: Record<string, unknown>): unknown {
  return holder['name'] ?? holder['tool'];
}

function checkBoth(holder: Record<string, unknown>): readonly Problem[] {
  const hasBoth = holder['name'] !== undefined && holder['tool'] !== undefined;
  return hasBoth ? [{ message: '"tool_result" takes "name" or "tool", which mean the same' }] : NO_PROBLEMS;
}

function checkPatterns(expected: unknown): readonly Problem[] {
  if (typeof expected === 'object' && expected !== null)
    return Object.values(expected).flatMap(checkPatterns);
  if (typeof expected !== 'string' || !PATTERN.test(expected)) return NO_PROBLEMS;
  try {
    compilePattern(expected.replace(PATTERN, ''));
    return NO_PROBLEMS;
  } catch (error) {
    return [{ message: `${quote(expected)} in "tool_result": ${messageOf(error)}` }];
  }
}

function checkName(name: unknown): readonly Problem[] {
  return typeof name === 'string' && name !== ''
    ? NO_PROBLEMS
    : [{ message: '"tool_result" needs the "name" of a tool' }];
}
