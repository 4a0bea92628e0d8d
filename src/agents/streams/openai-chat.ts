// Chunks of OpenAI's chat completions, which many services send.

import { isObject } from '../../json/is-object.ts';
import { toUsage } from '../../model/spending.ts';
import type { AnswerParts } from './answer-parts.ts';
import type { Fields, Protocol } from './protocol.ts';

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
      const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
      if (isObject(choice)) readChoice(choice, chunk, parts);
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
    if (Array.isArray(delta['tool_calls'])) delta['tool_calls'].forEach((call) => readCall(call, parts));
  }
  if (typeof reason === 'string' && reason !== '') parts.end();
}

/** The first piece of a call has its name; all pieces have its index. */
function readCall(piece: unknown, parts: AnswerParts): void {
  if (!isObject(piece)) return;
  const { index = piece['id'], function: called } = piece;
  const { name, arguments: given } = isObject(called) ? called : {};
  parts.openCall(index, name);
  if (typeof given === 'string') parts.addArguments(index, given);
  else parts.setArguments(index, given);
}
