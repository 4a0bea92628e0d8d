// tool_called: the agent called a tool.

import type { Problem } from '../../errors.ts';
import type { ToolCall } from '../../model/agent.ts';
import { didYouMean } from '../../platform/nearest.ts';
import type { AssertionType, Judgement } from '../assertion.ts';
import { missingValue, PASS } from '../assertion.ts';
import { askedPart, isSuperset } from '../deep-equal.ts';
import { diffOf } from '../diff.ts';
import { quote } from '../quote.ts';
import { callsOf, decoded, describeCalls, requireCalls } from '../tool-calls.ts';
import { isObject } from '../../platform/is-object.ts';

const FIELDS = ['arguments', 'name'];

/**
 * The value is a name, `{name, arguments}`, or a list of these, any of which will do. The arguments are a subset of
 * those of one call, at any depth.
 */
export const toolCalled: AssertionType = {
  fields: ['value'],
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (!Array.isArray(value)) return checkTool(value);
    return value.length === 0
      ? [{ message: 'the list of "tool_called" is empty' }]
      : value.flatMap(checkTool);
  },
  judge({ value, negate }, { transcript: { tool_calls: calls } }) {
    if (negate === true) requireCalls(calls);
    const tools: unknown[] = Array.isArray(value) ? value : [value];
    if (tools.some((tool) => wasCalled(calls, tool))) return PASS;
    return describeMiss(calls, tools, value);
  },
};

function wasCalled(calls: readonly ToolCall[] | undefined, tool: unknown): boolean {
  const { name, wanted } = read(tool);
  const made = callsOf(calls, name);
  if (wanted === undefined) return made.length > 0;
  return made.some((call) => isSuperset(decoded(call.arguments, wanted), wanted));
}

/** Shows the arguments of the last call of a tool that was called, but otherwise than asked for. */
function describeMiss(calls: readonly ToolCall[] | undefined, tools: unknown[], value: unknown): Judgement {
  for (const tool of tools) {
    const { name, wanted } = read(tool);
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
  const names = tools.map((tool) => quote(read(tool).name)).join(' or ');
  return {
    pass: false,
    message: `tool ${names} was not called; ${describeCalls(calls)}`,
    expected: value,
    actual: (calls ?? []).map((call) => call.name),
  };
}

function read(tool: unknown): { name: string; wanted: unknown } {
  return isObject(tool)
    ? { name: String(tool['name']), wanted: tool['arguments'] }
    : { name: String(tool), wanted: undefined };
}

function checkTool(tool: unknown): Problem[] {
  if (typeof tool === 'string' && tool !== '') return [];
  if (!isObject(tool))
    return [{ message: `"tool_called" needs a name or {name, arguments}, not ${quote(tool)}` }];
  const unknown = Object.keys(tool).filter((field) => !FIELDS.includes(field));
  const problems = unknown.map((field) => ({
    message: `unknown field ${quote(field)} in the value of "tool_called"`,
    hint: didYouMean(field, FIELDS) ?? `it may have ${FIELDS.join(', ')}`,
  }));
  if (typeof tool['name'] === 'string' && tool['name'] !== '') return problems;
  return [...problems, { message: 'the value of "tool_called" needs a "name"' }];
}
