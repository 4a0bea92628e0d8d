// A tool call in a message, in the form that cases and assistants have it.

/** The call as an entry of `tool_calls` of an assistant's message. */
export function wireCall(id: unknown, name: unknown, args: unknown): Record<string, unknown> {
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  return { id: String(id), type: 'function', function: { name: String(name), arguments: text } };
}
