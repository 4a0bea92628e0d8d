// tool_result: a tool the agent called gave a result.

import type { Problem } from '../../errors.ts';
import type { ToolCall } from '../../model/agent.ts';
import type { Assertion } from '../../model/case.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { AssertionType } from '../assertion.ts';
import { NO_PROBLEMS, PASS } from '../assertion.ts';
import { containsValue } from '../contains-value.ts';
import { askedPart, deepEqual, isSuperset } from '../deep-equal.ts';
import { diffOf } from '../diff.ts';
import { quote } from '../../text/quote.ts';
import { callsOf, decoded, describeCalls, requireCalls } from '../tool-calls.ts';
import { isObject } from '../../json/is-object.ts';

const FIELDS = ['name', 'result'];

/**
 * The value is `{name, result}`; or `name` is a field of the assertion and the value is the result. One call of the tool
 * gave that result: an equal one, for a text one that contains it, for an object one with at least its entries. Without
 * a result asked for, one call did not fail.
 */
export const toolResult: AssertionType = {
  fields: ['name', 'value'],
  check(assertion) {
    if (assertion['name'] !== undefined) return checkName(assertion['name']);
    const { value } = assertion;
    if (!isObject(value))
      return [{ message: `"tool_result" needs {name, result} as "value", not ${quote(value)}` }];
    const unknown = Object.keys(value).filter((field) => !FIELDS.includes(field));
    const problems = unknown.map((field) => ({
      message: `unknown field ${quote(field)} in the value of "tool_result"`,
      hint: didYouMean(field, FIELDS) ?? `it may have ${FIELDS.join(', ')}`,
    }));
    return [...problems, ...checkName(value['name'])];
  },
  judge(assertion, { transcript: { tool_calls: calls } }) {
    if (assertion.negate === true) requireCalls(calls);
    const { name, expected } = read(assertion);
    const made = callsOf(calls, name);
    if (made.some((call) => hasResult(call, expected))) return PASS;

    const wanted = expected === undefined ? {} : { expected };
    const last = made.at(-1);
    if (last === undefined) {
      const actual = (calls ?? []).map((call) => call.name);
      return {
        pass: false,
        message: `tool ${quote(name)} was not called; ${describeCalls(calls)}`,
        ...wanted,
        actual,
      };
    }
    if (last.error !== undefined) {
      return {
        pass: false,
        message: `tool ${quote(name)} failed: ${last.error}`,
        ...wanted,
        actual: last.error,
      };
    }
    const actual = decoded(last.result, expected);
    const message = `tool ${quote(name)} did not give this result`;
    return {
      pass: false,
      message,
      ...wanted,
      actual,
      diff: diffOf(expected, isObject(expected) ? askedPart(actual, expected) : actual),
    };
  },
};

function hasResult(call: ToolCall, expected: unknown): boolean {
  if (call.error !== undefined) return false;
  if (expected === undefined) return true;
  const result = decoded(call.result, expected);
  if (typeof expected === 'string') return containsValue(result, expected);
  return isObject(expected) ? isSuperset(result, expected) : deepEqual(result, expected);
}

function read(assertion: Assertion): { name: string; expected: unknown } {
  const { value } = assertion;
  if (assertion['name'] !== undefined || !isObject(value))
    return { name: String(assertion['name']), expected: value };
  return { name: String(value['name']), expected: value['result'] };
}

function checkName(name: unknown): readonly Problem[] {
  return typeof name === 'string' && name !== ''
    ? NO_PROBLEMS
    : [{ message: '"tool_result" needs the "name" of a tool' }];
}
