// Events of AG-UI, the protocol between agents and user interfaces.

import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { AnswerParts } from './answer-parts.ts';
import type { Fields, Protocol } from './protocol.ts';
import { streamFailure, unreadableEvent } from './stream-failure.ts';
import { tokenCounts } from './token-counts.ts';
import { toolOutcome } from './tool-outcome.ts';

/** `RUN_STARTED`, or `RunStarted` as some older servers write it. */
const TYPE =
  /^(?:(?:RUN|STEP|SUBAGENT)_(?:STARTED|FINISHED|ERROR)|TEXT_MESSAGE_(?:START|CONTENT|END|CHUNK)|TOOL_CALL_(?:START|ARGS|END|CHUNK|RESULT)|(?:STATE|ACTIVITY)_(?:SNAPSHOT|DELTA)|MESSAGES_SNAPSHOT|(?:REASONING|THINKING)(?:_(?:TEXT_)?MESSAGE)?_(?:START|CONTENT|END|CHUNK)|RunStarted|RunError|TextMessage(?:Start|Content|Chunk)|ToolCallStart)$/;

type State = {
  parts: AnswerParts;
  /** The message whose text is read; chunks without an id continue it. */
  messageId: unknown;
  /** Messages of users and subagents. */
  hidden: Set<unknown>;
  callId: unknown;
  snapshot: Fields[];
};

const READERS: Record<string, (event: Fields, state: State) => void> = {
  MESSAGES_SNAPSHOT(event, state) {
    const { messages } = event;
    if (!Array.isArray(messages) || !messages.every(isObject))
      throw unreadableEvent(state.parts.where, event);
    state.snapshot = messages;
  },
  RUN_ERROR(event, { parts }) {
    throw streamFailure(parts.where, event);
  },
  RUN_FINISHED: readFinish,
  RUN_STARTED: (_event, { parts }) => parts.begin(),
  TEXT_MESSAGE_CHUNK(event, state) {
    addText({ ...event, delta: event['delta'] ?? '' }, state);
  },
  TEXT_MESSAGE_CONTENT: addText,
  TEXT_MESSAGE_START: openMessage,
  TOOL_CALL_ARGS: (event, { parts }) => parts.addArguments(read(event, 'toolCallId'), event['delta'], event),
  TOOL_CALL_CHUNK(event, state) {
    const id = read(event, 'toolCallId');
    if (id !== undefined && id !== state.callId) openCall(event, state);
    state.parts.addArguments(state.callId, event['delta'], event);
  },
  TOOL_CALL_RESULT: (event, { parts }) =>
    parts.settleCall(read(event, 'toolCallId'), toolOutcome(event['content'])),
  TOOL_CALL_START: openCall,
};

export const agUi: Protocol = {
  end: 'RUN_FINISHED',
  reportsAllCalls: true,
  recognises: (event) => isObject(event) && typeof event['type'] === 'string' && TYPE.test(event['type']),
  open: (parts) => {
    const state: State = {
      parts,
      messageId: undefined,
      hidden: new Set(),
      callId: undefined,
      snapshot: [],
    };
    return (event) => {
      // Checked by the reader.
      const fields = event as Fields;
      if (typeof fields['type'] !== 'string') throw unreadableEvent(parts.where, event);
      const type = fields['type'].replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
      if (Object.hasOwn(READERS, type)) READERS[type]?.(fields, state);
    };
  },
};

/** Reads a field; some servers write its name with underscores. */
function read(event: Fields, name: string): unknown {
  return event[name] ?? event[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? undefined;
}

function openMessage(event: Fields, state: State): void {
  const role = event['role'] ?? 'assistant';
  if (typeof role !== 'string') throw unreadableEvent(state.parts.where, event);
  state.messageId = read(event, 'messageId');
  if (role !== 'assistant' || read(event, 'subagentRunId') !== undefined) state.hidden.add(state.messageId);
  else state.parts.nextStep();
}

function addText(event: Fields, state: State): void {
  const id = read(event, 'messageId');
  // Some servers leave the start of a message out.
  if (id !== undefined && id !== state.messageId) openMessage(event, state);
  if (!state.hidden.has(state.messageId)) state.parts.addText(event['delta'], event);
}

function openCall(event: Fields, state: State): void {
  state.callId = read(event, 'toolCallId');
  state.parts.openCall(state.callId, read(event, 'toolCallName'), event);
  // A call without a piece of arguments has none.
  state.parts.addArguments(state.callId, '', event);
}

function readFinish(event: Fields, { parts, snapshot }: State): void {
  const { outcome, result, usage } = event;
  if (isObject(outcome) && outcome['type'] === 'cancelled')
    throw new AttemptError('agent', `${parts.where} cancelled its run`);
  if (!parts.hasCalls) readSnapshot(snapshot, parts);
  if (result !== undefined && result !== null) parts.setResult(result);
  const counts: unknown[] = Array.isArray(usage) ? usage : [];
  counts.forEach((one) => parts.setUsage(one, tokenCounts(one, 'inputTokens', 'outputTokens')));
  parts.end();
}

/**
 * Reads what an agent sends only with the whole conversation: the tool calls, and the text unless it was streamed. The answer is
 * all messages after the last one of the user.
 */
function readSnapshot(messages: Fields[], parts: AnswerParts): void {
  const hasText = parts.hasContent;
  const start = messages.findLastIndex(({ role }) => role === 'user') + 1;
  for (const message of messages.slice(start)) {
    const { role, content } = message;
    if (role === 'tool') {
      const isError = typeof message['error'] === 'string';
      parts.settleCall(read(message, 'toolCallId'), toolOutcome(message['error'] ?? content, isError));
    }
    if (role !== 'assistant') continue;
    parts.nextStep();
    if (!hasText) parts.addContent(content, message);
    const calls = read(message, 'toolCalls') ?? [];
    if (!Array.isArray(calls) || !calls.every(isObject)) throw unreadableEvent(parts.where, message);
    for (const call of calls) {
      const called = isObject(call['function']) ? call['function'] : {};
      parts.openCall(call['id'], called['name'], message);
      parts.setArguments(call['id'], called['arguments']);
    }
  }
}
