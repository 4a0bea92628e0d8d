// Normalizes an event for display: agents and other programs may write fields of unexpected types.

import type { ToolCall } from '../../src/model/agent.ts';
import type { Message } from '../../src/model/case.ts';
import type { ResultEvent } from '../../src/model/event.ts';
import type { Verdict } from '../../src/model/outcome.ts';
import { isObject } from '../../src/json/is-object.ts';
import { readableText } from '../../src/text/untrusted.ts';

/** Drops null fields, and turns values of unexpected types into JSON text. */
export function shownEvent(event: ResultEvent): ResultEvent {
  const fields = Object.entries(event).filter(([name, value]) => value !== null || name === 'cost_usd');
  const known = Object.fromEntries(fields) as ResultEvent;
  const { messages, tool_calls: calls, verdicts, logs, checkpoints, subtests } = known;
  return {
    ...known,
    ...(messages !== undefined && { messages: toList(messages).map(shownMessage) }),
    ...(calls !== undefined && { tool_calls: toList(calls).map(shownCall) }),
    ...(verdicts !== undefined && { verdicts: toList(verdicts).filter(isObject).map(shownVerdict) }),
    ...(logs !== undefined && { logs: toList(logs).map((line) => readableText(line)) }),
    ...(checkpoints !== undefined && { checkpoints: checkpoints.filter(isObject) }),
    ...(subtests !== undefined && { subtests: subtests.filter(isObject) }),
  };
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function shownMessage(value: unknown): Message {
  if (!isObject(value)) return { role: 'message', content: readableText(value) };
  const { role, content = null, ...rest } = value;
  // The cast is safe because content of any shape is shown.
  return { ...rest, role: readableText(role ?? 'message'), content: content as Message['content'] };
}

function shownCall(value: unknown): ToolCall {
  if (!isObject(value)) return { name: readableText(value) };
  const { name, error, duration_ms, ...rest } = value;
  return {
    ...rest,
    name: readableText(name ?? 'tool'),
    ...(error !== undefined && error !== null && { error: readableText(error) }),
    ...(typeof duration_ms === 'number' && { duration_ms }),
  };
}

function shownVerdict(value: Record<string, unknown>): Verdict {
  const { type, score, message, reason, ...rest } = value;
  // The cast is safe because the other fields are shown as they are, and an unknown status as unknown.
  return {
    ...rest,
    type: readableText(type ?? 'assertion'),
    ...(typeof score === 'number' && { score }),
    ...(message !== undefined && message !== null && { message: readableText(message) }),
    ...(reason !== undefined && reason !== null && { reason: readableText(reason) }),
  } as Verdict;
}
