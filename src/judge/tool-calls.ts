// Which of the calls an agent made are meant by a name.

import type { ToolCall } from '../model/agent.ts';
import { isObject } from '../json/is-object.ts';
import { quote } from '../text/quote.ts';

/** A call that is asked for; without arguments, any will do. */
export type ExpectedCall = { name: string; arguments: unknown };

/** The call that a name or `{name, arguments}` asks for. */
export function readTool(tool: unknown): ExpectedCall {
  return isObject(tool)
    ? { name: String(tool['name']), arguments: tool['arguments'] }
    : { name: String(tool), arguments: undefined };
}

/** The calls of a tool. */
export function callsOf(calls: readonly ToolCall[] | undefined, name: string): ToolCall[] {
  return (calls ?? []).filter((call) => isCallOf(call, name));
}

/**
 * A call is meant by its whole name or by what follows its last `__` or `.`, which is how servers put their own name in
 * front: `search` means `search`, `web__search` and `web.search`.
 */
export function isCallOf(call: ToolCall, name: string): boolean {
  if (!call.name.endsWith(name)) return false;
  return call.name === name || afterLast(call.name, '__') === name || afterLast(call.name, '.') === name;
}

/** What was called instead, for a failure: `called: "search" (2 times), "fetch"`. */
export function describeCalls(calls: readonly ToolCall[] | undefined): string {
  if (calls === undefined || calls.length === 0) return 'no tool was called';
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].map(([name, count]) =>
    count === 1 ? quote(name) : `${quote(name)} (${count} times)`,
  );
  return `called: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`;
}

/** Arguments and results travel as JSON text in some protocols; they are compared as what they mean. */
export function decoded(value: unknown, expected: unknown): unknown {
  if (typeof value !== 'string' || typeof expected === 'string' || expected === undefined) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function afterLast(text: string, separator: string): string | undefined {
  const at = text.lastIndexOf(separator);
  return at === -1 ? undefined : text.slice(at + separator.length);
}

/**
 * Throws if the agent does not report its tool calls: that a tool was not called cannot be known then, and must not pass.
 */
export function requireCalls(calls: readonly ToolCall[] | undefined): asserts calls is readonly ToolCall[] {
  if (calls !== undefined) return;
  throw new Error(
    'the agent does not report its tool calls (tool_calls), so whether it made one cannot be known',
  );
}
