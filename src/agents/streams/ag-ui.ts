// Events of AG-UI, the protocol between agents and user interfaces.

import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { AnswerParts } from './answer-parts.ts';
import type { Fields, Protocol } from './protocol.ts';
import { streamFailure } from './stream-failure.ts';
import { tokenCounts } from './token-counts.ts';
import { toolOutcome } from './tool-outcome.ts';

/** `RUN_STARTED`, or `RunStarted` as some older servers write it. */
const TYPE =
  /^(?:(?:RUN|STEP|TEXT_MESSAGE|TOOL_CALL|REASONING|THINKING|STATE|MESSAGES|ACTIVITY|SUBAGENT)_[A-Z_]+|(?:Run|Step|TextMessage|ToolCall)(?:Started|Finished|Error|Start|Content|Args|Chunk|End|Result))$/;

type State = {
  parts: AnswerParts;
  /** The message whose text is read; chunks without an id continue it. */
  messageId: unknown;
  /** False for messages of users and subagents. */
  isAnswer: boolean;
  callId: unknown;
  snapshot: unknown;
};

const READERS: Record<string, (event: Fields, state: State) => void> = {
  MESSAGES_SNAPSHOT(event, state) {
    state.snapshot = event['messages'];
  },
  RUN_ERROR(event, { parts }) {
    throw streamFailure(parts.where, event);
  },
  RUN_FINISHED: readFinish,
  RUN_STARTED: (_event, { parts }) => parts.begin(),
  TEXT_MESSAGE_CHUNK(event, state) {
    const id = read(event, 'messageId');
    if (id !== undefined && id !== state.messageId) openMessage(event, state);
    if (event['delta'] !== undefined && event['delta'] !== null) addText(event, state);
  },
  TEXT_MESSAGE_CONTENT: addText,
  TEXT_MESSAGE_START: openMessage,
  TOOL_CALL_ARGS: (event, { parts }) => parts.addArguments(read(event, 'toolCallId'), event['delta']),
  TOOL_CALL_CHUNK(event, state) {
    const id = read(event, 'toolCallId');
    if (id !== undefined && id !== state.callId) openCall(event, state);
    state.parts.addArguments(state.callId, event['delta']);
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
      isAnswer: true,
      callId: undefined,
      snapshot: undefined,
    };
    return (event) => {
      // Checked by the reader.
      const fields = event as Fields;
      const type = String(fields['type'])
        .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
        .toUpperCase();
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
  state.messageId = read(event, 'messageId');
  state.isAnswer = role === 'assistant' && read(event, 'subagentRunId') === undefined;
  if (state.isAnswer) state.parts.nextStep();
}

function addText(event: Fields, { parts, isAnswer }: State): void {
  if (isAnswer && read(event, 'subagentRunId') === undefined) parts.addText(event['delta'], event);
}

function openCall(event: Fields, state: State): void {
  state.callId = read(event, 'toolCallId');
  state.parts.openCall(state.callId, read(event, 'toolCallName'));
  // A call without a piece of arguments has none.
  state.parts.addArguments(state.callId, '');
}

function readFinish(event: Fields, { parts, snapshot }: State): void {
  const { outcome, result, usage } = event;
  if (isObject(outcome) && outcome['type'] === 'cancelled')
    throw new AttemptError('agent', `${parts.where} cancelled its run`);
  if (!parts.hasContent) readSnapshot(snapshot, parts);
  if (result !== undefined && result !== null) parts.setResult(result);
  const counts: unknown[] = Array.isArray(usage) ? usage : [];
  counts.forEach((one) => parts.setUsage(one, tokenCounts(one, 'inputTokens', 'outputTokens')));
  parts.end();
}

/** Reads the answer of an agent that sends only the whole conversation: all messages after the last one of the user. */
function readSnapshot(snapshot: unknown, parts: AnswerParts): void {
  const messages: Fields[] = Array.isArray(snapshot) ? snapshot.filter(isObject) : [];
  const start = messages.findLastIndex(({ role }) => role === 'user') + 1;
  for (const message of messages.slice(start)) {
    const { role, content } = message;
    if (role === 'tool') {
      const isError = typeof message['error'] === 'string';
      parts.settleCall(read(message, 'toolCallId'), toolOutcome(message['error'] ?? content, isError));
    }
    if (role !== 'assistant') continue;
    parts.nextStep();
    parts.addContent(content, message);
    const calls = read(message, 'toolCalls');
    for (const call of Array.isArray(calls) ? calls.filter(isObject) : []) {
      const called = isObject(call['function']) ? call['function'] : {};
      parts.openCall(call['id'], called['name']);
      parts.setArguments(call['id'], called['arguments']);
    }
  }
}
