// Chunks of OpenAI's chat completions, which many services send.

import { isObject } from '../../json/is-object.ts';
import { toUsage } from '../../model/spending.ts';
import type { AnswerParts } from './answer-parts.ts';
import type { Fields, Protocol } from './protocol.ts';
import { streamFailure, unreadableEvent } from './stream-failure.ts';

const CHUNK = 'chat.completion.chunk';

/** Services that leave `object` out may also leave the end out. */
export const openaiChat: Protocol = {
  end: 'a finish_reason and [DONE]',
  reportsAllCalls: false,
  recognises(event) {
    if (!isObject(event)) return false;
    const { object, choices } = event;
    if (object === CHUNK) return true;
    if (!Array.isArray(choices)) return false;
    const first: unknown = choices[0];
    return isObject(first) ? isObject(first['delta']) : choices.length === 0;
  },
  open: (parts) => {
    let id: unknown;
    return (event) => {
      // Checked by the reader.
      const chunk = event as Fields;
      const isFirst = id === undefined;
      // A route may send the chunks of several model calls, one after the other.
      const isNextCall = typeof chunk['id'] === 'string' && chunk['id'] !== id && parts.hasEnded;
      if (isFirst || isNextCall) {
        id = chunk['id'] ?? '';
        if (chunk['object'] === CHUNK) parts.begin();
        else parts.nextStep();
      }
      // Some services send the counts so far with every chunk.
      parts.setUsage(id, toUsage(chunk['usage']));
      const { choices } = chunk;
      const choice: unknown = listOf(choices, chunk, parts)[0];
      if (isObject(choice)) readChoice(choice, chunk, parts);
      else if (choice !== undefined) throw unreadableEvent(parts.where, chunk);
    };
  },
};

/** Only the first of several choices is the answer. */
function readChoice(choice: Fields, chunk: Fields, parts: AnswerParts): void {
  const { delta, index, finish_reason: reason } = choice;
  if (index !== undefined && index !== 0) return;
  if (isObject(delta)) {
    parts.addContent(delta['content'], chunk);
    parts.addContent(delta['refusal'], chunk);
    const calls = listOf(delta['tool_calls'], chunk, parts);
    calls.forEach((call, position) => readCall(call, position, chunk, parts));
  } else if (delta !== undefined && delta !== null) throw unreadableEvent(parts.where, chunk);
  if (reason === 'error') throw streamFailure(parts.where, 'the model call failed');
  if (typeof reason === 'string' && reason !== '') parts.end();
}

function listOf(value: unknown, chunk: Fields, parts: AnswerParts): unknown[] {
  const list = value ?? [];
  if (!Array.isArray(list)) throw unreadableEvent(parts.where, chunk);
  return list;
}

/** The first piece of a call has its name; all pieces have its index, except for services that send whole calls. */
function readCall(piece: unknown, position: number, chunk: Fields, parts: AnswerParts): void {
  if (!isObject(piece)) throw unreadableEvent(parts.where, chunk);
  const { function: called } = piece;
  const index = piece['index'] ?? piece['id'] ?? position;
  const { name, arguments: given } = isObject(called) ? called : {};
  parts.openCall(index, name, chunk);
  if (typeof given === 'string') parts.addArguments(index, given, chunk);
  else parts.setArguments(index, given);
}
