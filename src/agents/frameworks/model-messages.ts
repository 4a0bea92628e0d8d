// Converts messages and steps in the format of the AI SDK, which Mastra shares.

import { messageOf } from '../../errors.ts';
import type { ToolCall } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';
import type { Fields } from './framework.ts';
import { readField, objectsIn, textIn } from './framework.ts';
import { wireCall } from './wire-call.ts';

export function fromModelMessages(list: unknown): Message[] {
  return objectsIn(list).flatMap((message): Message[] => {
    const { role, content } = message;
    if (role === 'tool') return objectsIn(content).filter(isResult).map(toToolMessage);
    if (role !== 'assistant') return [];
    if (typeof content === 'string') return [{ role, content }];
    const parts = objectsIn(content);
    const text = parts.map((part) => (part['type'] === 'text' ? (textIn(part, 'text') ?? '') : '')).join('');
    const calls = parts
      .filter(({ type }) => type === 'tool-call')
      .map(({ toolCallId, toolName, input }) => wireCall(toolCallId, toolName, input));
    const isOnlyCalls = text === '' && calls.length > 0;
    return [{ role, content: isOnlyCalls ? null : text, ...(calls.length > 0 && { tool_calls: calls }) }];
  });
}

/** The tool calls in steps or messages. `read` extracts the result or error, whose format differs between frameworks. */
export function callsIn(
  list: unknown,
  read: (part: Fields) => Pick<ToolCall, 'error' | 'result'> | undefined,
): ToolCall[] {
  const calls: ToolCall[] = [];
  // Some models restart call ids in every step: a result belongs to the latest call.
  const open = new Map<unknown, ToolCall>();
  for (const part of objectsIn(list).flatMap((entry) => objectsIn(readField(entry, 'content')))) {
    const { type, toolCallId, toolName, input } = part;
    if (type === 'tool-call') {
      const call: ToolCall = { name: String(toolName), arguments: input };
      calls.push(call);
      open.set(toolCallId, call);
      continue;
    }
    const call = open.get(toolCallId);
    if (call !== undefined) Object.assign(call, read(part));
  }
  return calls;
}

/** The message of an error that a tool threw. */
export function errorText(error: unknown): string {
  if (error instanceof Error || typeof error === 'string') return messageOf(error);
  return textIn(error, 'message') ?? JSON.stringify(error ?? 'the tool failed');
}

function isResult({ type }: Fields): boolean {
  return type === 'tool-result';
}

function toToolMessage({ toolCallId, toolName, output }: Fields): Message {
  return {
    role: 'tool',
    tool_call_id: String(toolCallId),
    name: String(toolName),
    content: outputText(output),
  };
}

function outputText(output: unknown): string {
  const value = isObject(output) && 'value' in output ? output['value'] : output;
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
