// tool_called: the agent called a tool.

import type { ToolCall } from '../../model/agent.ts';
import type { AssertionType, Judgement } from '../assertion.ts';
import { missingValue, PASS } from '../assertion.ts';
import { pickExpectedKeys, isSuperset } from '../deep-equal.ts';
import { describeDiff } from '../diff.ts';
import { isCertainlyEqual } from '../exact-numbers.ts';
import { quote } from '../../text/quote.ts';
import { findCalls, decodeJson, describeCalls, readExpectedCall, requireCalls } from '../tool-calls.ts';
import { VALUE, checkTool } from '../fields.ts';

/**
 * The value is a name, `{name, arguments}`, or a list of alternatives. A call matches if it has at least these arguments,
 * at any depth.
 */
export const toolCalled: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (!Array.isArray(value)) return checkTool('tool_called', value);
    return value.length === 0
      ? [{ message: 'the list of "tool_called" is empty' }]
      : value.flatMap((tool) => checkTool('tool_called', tool));
  },
  judge({ value }, { transcript: { tool_calls: calls } }) {
    requireCalls(calls);
    const tools: unknown[] = Array.isArray(value) ? value : [value];
    if (tools.some((tool) => wasCalled(calls, tool))) return PASS;
    return describeMiss(calls, tools, value);
  },
};

function wasCalled(calls: readonly ToolCall[], tool: unknown): boolean {
  const { name, arguments: wanted } = readExpectedCall(tool);
  const made = findCalls(calls, name);
  if (wanted === undefined) return made.length > 0;
  const isMade = made.some((call) => isSuperset(decodeJson(call.arguments, wanted), wanted));
  return isCertainlyEqual(isMade, wanted);
}

/** If a tool was called with other arguments, shows those of its last call. */
function describeMiss(calls: readonly ToolCall[], tools: unknown[], value: unknown): Judgement {
  for (const tool of tools) {
    const { name, arguments: wanted } = readExpectedCall(tool);
    const last = findCalls(calls, name).at(-1);
    if (last === undefined) continue;
    const actual = decodeJson(last.arguments, wanted);
    const message = `tool ${quote(name)} was called, but not with these arguments`;
    const diff = describeDiff(wanted, pickExpectedKeys(actual, wanted));
    return { pass: false, message, expected: value, actual: calls, diff };
  }
  const names = tools.map((tool) => quote(readExpectedCall(tool).name)).join(' or ');
  return {
    pass: false,
    message: `tool ${names} was not called; ${describeCalls(calls)}`,
    expected: value,
    actual: calls.map((call) => call.name),
  };
}
