// tool_called: the agent called a tool.

import type { ToolCall } from '../../model/agent.ts';
import type { AssertionType, Judgement } from '../assertion.ts';
import { missingValue, PASS } from '../assertion.ts';
import { askedPart, isSuperset } from '../deep-equal.ts';
import { diffOf } from '../diff.ts';
import { checkTool } from '../field-checks.ts';
import { quote } from '../../text/quote.ts';
import { callsOf, decoded, describeCalls, readTool, requireCalls } from '../tool-calls.ts';

/**
 * The value is a name, `{name, arguments}`, or a list of these, any of which will do. The arguments are a subset of
 * those of one call, at any depth.
 */
export const toolCalled: AssertionType = {
  fields: ['value'],
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (!Array.isArray(value)) return checkTool('tool_called', value);
    return value.length === 0
      ? [{ message: 'the list of "tool_called" is empty' }]
      : value.flatMap((tool) => checkTool('tool_called', tool));
  },
  judge({ value, negate }, { transcript: { tool_calls: calls } }) {
    if (negate === true) requireCalls(calls);
    const tools: unknown[] = Array.isArray(value) ? value : [value];
    if (tools.some((tool) => wasCalled(calls, tool))) return PASS;
    return describeMiss(calls, tools, value);
  },
};

function wasCalled(calls: readonly ToolCall[] | undefined, tool: unknown): boolean {
  const { name, arguments: wanted } = readTool(tool);
  const made = callsOf(calls, name);
  if (wanted === undefined) return made.length > 0;
  return made.some((call) => isSuperset(decoded(call.arguments, wanted), wanted));
}

/** Shows the arguments of the last call of a tool that was called, but otherwise than asked for. */
function describeMiss(calls: readonly ToolCall[] | undefined, tools: unknown[], value: unknown): Judgement {
  for (const tool of tools) {
    const { name, arguments: wanted } = readTool(tool);
    const last = callsOf(calls, name).at(-1);
    if (last === undefined) continue;
    const actual = decoded(last.arguments, wanted);
    const message = `tool ${quote(name)} was called, but not with these arguments`;
    return {
      pass: false,
      message,
      expected: value,
      actual: calls,
      diff: diffOf(wanted, askedPart(actual, wanted)),
    };
  }
  const names = tools.map((tool) => quote(readTool(tool).name)).join(' or ');
  return {
    pass: false,
    message: `tool ${names} was not called; ${describeCalls(calls)}`,
    expected: value,
    actual: (calls ?? []).map((call) => call.name),
  };
}
