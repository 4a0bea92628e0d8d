// Normalizes an event for display: agents and other programs may write fields of unexpected types.

import type { SentMessage, TraceEntry } from '../../src/model/agent.ts';
import type { ResultEvent } from '../../src/model/event.ts';
import type { Verdict } from '../../src/model/outcome.ts';
import { isObject } from '../../src/json/is-object.ts';
import { shownCall, shownMessage } from '../../src/report/text/activity-text.ts';
import { readableText } from '../../src/text/untrusted.ts';

/** Drops null fields, and turns values of unexpected types into JSON text. */
export function shownEvent(event: ResultEvent): ResultEvent {
  const fields = Object.entries(event).filter(([name, value]) => value !== null || name === 'cost_usd');
  const known = Object.fromEntries(fields) as ResultEvent;
  const { messages, tool_calls: calls, verdicts, logs, checkpoints, subtests, sent_messages, trace } = known;
  return {
    ...known,
    ...(messages !== undefined && { messages: toList(messages).map(shownMessage) }),
    ...(calls !== undefined && { tool_calls: toList(calls).map(shownCall) }),
    ...(sent_messages !== undefined && { sent_messages: toList(sent_messages).filter(isSent) }),
    ...(trace !== undefined && { trace: toList(trace).filter(isTraced) }),
    ...(verdicts !== undefined && { verdicts: toList(verdicts).filter(isObject).map(shownVerdict) }),
    ...(logs !== undefined && { logs: toList(logs).map((line) => readableText(line)) }),
    ...(checkpoints !== undefined && { checkpoints: checkpoints.filter(isObject) }),
    ...(subtests !== undefined && { subtests: subtests.filter(isObject) }),
  };
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isSent(value: unknown): value is SentMessage {
  return isObject(value);
}

/** Steps inside a step are a list. */
function isTraced(value: unknown): value is TraceEntry {
  if (!isObject(value)) return false;
  const { children = [] } = value;
  return Array.isArray(children) && children.every(isTraced);
}

function shownVerdict(value: Record<string, unknown>): Verdict {
  const { type, metric, score, message, reason, verdicts, ...rest } = value;
  // The cast is safe because the other fields are shown as they are, and an unknown status as unknown.
  return {
    ...rest,
    type: readableText(type ?? 'assertion'),
    ...(metric !== undefined && metric !== null && { metric: readableText(metric) }),
    ...(typeof score === 'number' && { score }),
    ...(message !== undefined && message !== null && { message: readableText(message) }),
    ...(reason !== undefined && reason !== null && { reason: readableText(reason) }),
    ...(Array.isArray(verdicts) && { verdicts: verdicts.filter(isObject).map(shownVerdict) }),
  } as Verdict;
}
