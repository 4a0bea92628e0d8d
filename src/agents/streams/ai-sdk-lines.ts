// Lines of the AI SDK's data stream, version 4: a code, a colon and JSON, as in `0:"text"`.

import { parseJson } from '../../json/parse-json.ts';
import { isObject } from '../../json/is-object.ts';
import type { AnswerParts } from './answer-parts.ts';
import { readUsage } from './ai-sdk-parts.ts';
import type { Protocol } from './protocol.ts';
import { streamFailure, unreadableEvent } from './stream-failure.ts';

const LINE = /^([0-9a-z]):(.+)$/s;

/** Lines that are no part of the answer: data, annotations, reasoning, sources, files. */
const OTHER_CODES = '28ghijk';

/** Lines by code. */
const READERS: Record<string, (value: unknown, parts: AnswerParts, line: unknown) => void> = {
  0: (value, parts, line) => parts.addText(value, line),
  3(value, parts) {
    throw streamFailure(parts.where, value);
  },
  9(value, parts, line) {
    const { toolCallId, toolName, args } = fieldsOf(value, parts, line);
    parts.openCall(toolCallId, toolName, line);
    parts.setArguments(toolCallId, args);
  },
  a(value, parts, line) {
    const { toolCallId, result } = fieldsOf(value, parts, line);
    parts.settleCall(toolCallId, { result: result ?? null });
  },
  b(value, parts, line) {
    const { toolCallId, toolName } = fieldsOf(value, parts, line);
    parts.openCall(toolCallId, toolName, line);
  },
  c(value, parts, line) {
    const { toolCallId, argsTextDelta } = fieldsOf(value, parts, line);
    parts.addArguments(toolCallId, argsTextDelta, line);
  },
  d(value, parts, line) {
    const { finishReason, usage } = fieldsOf(value, parts, line);
    if (finishReason === 'error') throw streamFailure(parts.where, 'the model call failed');
    parts.setUsage(parts.step, readUsage(usage));
    parts.end();
  },
  e: (_value, parts) => parts.nextStep(),
  f: (_value, parts) => parts.begin(),
};

export const aiSdkLines: Protocol = {
  end: 'a line with the code d',
  reportsAllCalls: true,
  recognises(event) {
    const [, , json = ''] = (typeof event === 'string' ? LINE.exec(event) : undefined) ?? [];
    return parseJson(json) !== undefined;
  },
  open: (parts) => {
    // Every data stream has an end, also one whose first line begins no step.
    parts.begin();
    return (line) => readLine(line, parts);
  },
};

function readLine(line: unknown, parts: AnswerParts): void {
  const [, code = '', json = ''] = (typeof line === 'string' ? LINE.exec(line) : undefined) ?? [];
  const parsed = parseJson(json);
  if (parsed === undefined) throw unreadableEvent(parts.where, line);
  // Older versions have other lines with texts and tool calls.
  if (Object.hasOwn(READERS, code)) READERS[code]?.(parsed.value, parts, line);
  else if (!OTHER_CODES.includes(code)) throw unreadableEvent(parts.where, line);
}

function fieldsOf(value: unknown, parts: AnswerParts, line: unknown): Record<string, unknown> {
  if (!isObject(value)) throw unreadableEvent(parts.where, line);
  return value;
}
