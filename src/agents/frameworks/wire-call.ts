/** A tool call as an entry of `tool_calls` in an assistant message. */
export function wireCall(id: unknown, name: unknown, args: unknown): Record<string, unknown> {
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  return { id: String(id), type: 'function', function: { name: String(name), arguments: text } };
}
