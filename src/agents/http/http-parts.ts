// Reads tool calls and token counts from a JSON answer, in the formats of common services.

import { AttemptError } from '../../errors.ts';
import type { HttpRun, ToolCall, Transcript } from '../../model/agent.ts';
import { toUsage } from '../../model/spending.ts';
import { compileJsonPath } from '../../json/json-path.ts';
import { excerpt } from '../../text/excerpt.ts';
import { isObject } from '../../json/is-object.ts';
import { jsonOrText } from '../../json/parse-json.ts';

/** Reads tool calls and token counts at the paths of the definition. */
export function readParts(
  value: unknown,
  paths: Pick<HttpRun, 'tool_calls' | 'usage'>,
  where: string,
): Pick<Transcript, 'tool_calls' | 'usage'> {
  const parts: Pick<Transcript, 'tool_calls' | 'usage'> = {};
  if (paths.tool_calls !== undefined) {
    const items = itemsAt(value, paths.tool_calls);
    const calls = items.map(toToolCall).filter((call) => call !== undefined);
    if (calls.length < items.length)
      throw unreadable('a tool call with a name', paths.tool_calls, items, where);
    parts.tool_calls = calls;
  }
  if (paths.usage !== undefined) {
    const items = itemsAt(value, paths.usage);
    const usage = toUsage(items[0]);
    if (items.length > 0 && usage === undefined)
      throw unreadable('an object with input_tokens and output_tokens', paths.usage, items, where);
    if (usage !== undefined) parts.usage = usage;
  }
  return parts;
}

/** The values at a path, with lists flattened and null removed. */
export function itemsAt(value: unknown, path: string): unknown[] {
  return selectPath(value, path)
    .flat()
    .filter((item) => item !== null && item !== undefined);
}

/** A tool call in Assay's format or that of a common service; undefined if it has no name. */
export function toToolCall(item: unknown): ToolCall | undefined {
  if (!isObject(item)) return undefined;
  const called = isObject(item['function']) ? item['function'] : item;
  const { name, arguments: given = called['input'] } = called;
  if (typeof name !== 'string' || name === '') return undefined;
  const { result, error, duration_ms } = item;
  return {
    name,
    ...(given !== undefined && { arguments: fromText(given) }),
    ...(result !== undefined && { result }),
    ...(typeof error === 'string' && { error }),
    ...(typeof duration_ms === 'number' && { duration_ms }),
  };
}

/** The values at a path. */
export function selectPath(value: unknown, path: string): unknown[] {
  const found = compileJsonPath(path).query(value);
  if (found.kind === 'missing') return [];
  return found.kind === 'value' ? [found.value] : found.values;
}

/** Some services send arguments as JSON text. */
function fromText(given: unknown): unknown {
  const value = jsonOrText(given);
  return isObject(value) ? value : given;
}

function unreadable(wanted: string, path: string, items: unknown[], where: string): AttemptError {
  const found = excerpt(JSON.stringify(items));
  return new AttemptError('protocol', `expected ${wanted} at ${path} in the answer of ${where}: ${found}`);
}
