// Reads a tool call in Assay's format or in that of a common service.

import type { ToolCall } from '../model/agent.ts';
import { isObject } from '../json/is-object.ts';
import { jsonOrText } from '../json/parse-json.ts';

/** Where a call has its arguments. */
const ARGUMENTS = ['arguments', 'input', 'args'];

/**
 * Accepts `{name, arguments}`, `{name, input}` (Anthropic), `{name, args}` (LangChain, Google), `{toolName, input}` (AI SDK)
 * and `{function: {name, arguments}}` (OpenAI). Returns undefined if it has no name or an error that is not text.
 */
export function readToolCall(item: unknown): ToolCall | undefined {
  if (!isObject(item)) return undefined;
  const called = isObject(item['function']) ? item['function'] : item;
  const name = called['name'] ?? called['toolName'];
  if (typeof name !== 'string' || name === '') return undefined;
  const error = readError(item['error']);
  if (error !== undefined && typeof error !== 'string') return undefined;
  const { error: _error, function: _function, toolName: _toolName, ...fields } = item;
  const key = ARGUMENTS.find((one) => called[one] !== undefined) ?? 'arguments';
  const given = called[key];
  if (key !== 'arguments') delete fields[key];
  return {
    ...fields,
    name,
    ...(given !== undefined && { arguments: called === item ? given : decodeObject(given) }),
    ...(error !== undefined && { error }),
  };
}

/** A call that succeeded may have null as its error. */
function readError(error: unknown): unknown {
  if (error === null) return undefined;
  return error instanceof Error ? error.message : error;
}

/** OpenAI sends arguments as JSON text. */
function decodeObject(given: unknown): unknown {
  const value = jsonOrText(given);
  return isObject(value) ? value : given;
}
