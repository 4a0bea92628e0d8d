// Finds the tool calls of an agent that an assertion refers to.

import type { ToolCall } from '../model/agent.ts';
import { isObject } from '../json/is-object.ts';
import { jsonOrText } from '../json/parse-json.ts';
import { quote } from '../text/quote.ts';

/** An expected call; without arguments, it matches calls with any arguments. */
export type ExpectedCall = { name: string; arguments: unknown };

/** Reads an expected call from a name or `{name, arguments}`. */
export function readExpectedCall(tool: unknown): ExpectedCall {
  return isObject(tool)
    ? { name: String(tool['name']), arguments: tool['arguments'] }
    : { name: String(tool), arguments: undefined };
}

/** The calls to a tool. */
export function findCalls(calls: readonly ToolCall[], name: string): ToolCall[] {
  return calls.filter((call) => isCallTo(call, name));
}

/**
 * True if a call has this name, with or without the prefix that tool servers add: `search` matches `search`,
 * `web__search` and `web.search`.
 */
export function isCallTo(call: ToolCall, name: string): boolean {
  if (!call.name.endsWith(name)) return false;
  return call.name === name || afterLast(call.name, '__') === name || afterLast(call.name, '.') === name;
}

/** Lists the calls made, for failure messages: `called: "search" (2 times), "fetch"`. */
export function describeCalls(calls: readonly ToolCall[]): string {
  if (calls.length === 0) return 'no tool was called';
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].map(([name, count]) =>
    count === 1 ? quote(name) : `${quote(name)} (${count} times)`,
  );
  return `called: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`;
}

/** Parses arguments and results that a protocol sends as JSON text, unless a text is expected. */
export function decodeJson(value: unknown, expected: unknown): unknown {
  return typeof expected === 'string' || expected === undefined ? value : jsonOrText(value);
}

function afterLast(text: string, separator: string): string | undefined {
  const at = text.lastIndexOf(separator);
  return at === -1 ? undefined : text.slice(at + separator.length);
}

/**
 * Throws if the agent does not report its tool calls: without them, neither "called" nor "not called" can be known. An empty
 * list says that it made no calls.
 */
export function requireCalls(calls: readonly ToolCall[] | undefined): asserts calls is readonly ToolCall[] {
  if (calls !== undefined) return;
  throw new Error(
    'the agent did not report its tool calls; it must answer {output, tool_calls: […]}, with an empty list if it made none',
  );
}

/** Throws if it is unknown what a call returned: an answer of a model has calls that were not made yet. */
export function requireResults(calls: readonly ToolCall[]): void {
  const unknown = calls.find(({ result, error }) => result === undefined && error === undefined);
  if (unknown === undefined) return;
  throw new Error(
    `the agent did not report what tool ${quote(unknown.name)} returned; each of its tool_calls must have "result" (null if there is none) or "error"`,
  );
}
