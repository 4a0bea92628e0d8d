// Events of OpenAI's responses.

import { isObject } from '../../json/is-object.ts';
import { toUsage } from '../../model/spending.ts';
import type { AnswerParts } from './answer-parts.ts';
import type { Fields, Protocol } from './protocol.ts';
import { streamFailure, unreadableEvent } from './stream-failure.ts';
import { toolOutcome } from './tool-outcome.ts';

const TYPES =
  /^response\.(?:created|queued|in_progress|completed|incomplete|failed|output_item|output_text|content_part|refusal|function_call_arguments|reasoning\w*)(?:\.|$)/;

export const openaiResponses: Protocol = {
  end: 'response.completed',
  reportsAllCalls: false,
  recognises: (event) => isObject(event) && typeof event['type'] === 'string' && TYPES.test(event['type']),
  open: (parts) => {
    let hasDeltas = false;
    return (event) => {
      // Checked by the reader.
      const { type, delta, item, response } = event as Fields;
      if (typeof type !== 'string') throw unreadableEvent(parts.where, event);
      if (type === 'response.created') parts.begin();
      else if (type === 'response.output_item.added') {
        hasDeltas = false;
        if (isObject(item) && item['type'] === 'message') parts.nextStep();
      } else if (type === 'response.output_text.delta' || type === 'response.refusal.delta') {
        hasDeltas = true;
        parts.addText(delta, event);
      } else if (type === 'response.output_item.done') {
        if (!isObject(item)) throw unreadableEvent(parts.where, event);
        // Some services send a text only when it is complete.
        if (item['type'] !== 'message' || !hasDeltas) readItem(item, parts, event);
        hasDeltas = false;
      } else if (isObject(response)) {
        readEnd(type, response, parts);
      }
    };
  },
};

/** Reads an item of a response: a message, a tool call, or the result of one. */
export function readItem(item: Fields, parts: AnswerParts, event: unknown): void {
  const { type } = item;
  // Calls are whole, so one without an id is a call of its own.
  const callId = item['call_id'] ?? item['id'] ?? item;
  if (type === 'message') {
    const content = item['content'] ?? [];
    if (!Array.isArray(content) || !content.every(isObject)) throw unreadableEvent(parts.where, event);
    for (const part of content) {
      const text = part['text'] ?? part['refusal'];
      if (text !== undefined || part['type'] === 'output_text') parts.addText(text, event);
    }
  } else if (typeof type === 'string' && type.endsWith('_call')) {
    parts.openCall(callId, item['name'] ?? type.slice(0, -'_call'.length), event);
    parts.setArguments(callId, item['arguments'] ?? item['input'] ?? item['action'] ?? serverInput(item));
    readOutcome(item, callId, parts);
  } else if (typeof type === 'string' && type.endsWith('_call_output')) {
    parts.settleCall(callId, toolOutcome(item['output']));
  }
}

/** The input of a tool that the service runs itself. */
function serverInput({ code, queries }: Fields): unknown {
  if (typeof code === 'string') return { code };
  return queries === undefined || queries === null ? undefined : { queries };
}

/** Tools that the service runs have their result in the call. */
function readOutcome({ error, output, outputs, results }: Fields, id: unknown, parts: AnswerParts): void {
  if (error !== undefined && error !== null) return parts.settleCall(id, toolOutcome(error, true));
  const result = output ?? outputs ?? results;
  if (result !== undefined && result !== null) parts.settleCall(id, toolOutcome(result));
}

/** Reads the event that ends a response. An incomplete response is the answer that its user gets, too. */
function readEnd(type: string, response: Fields, parts: AnswerParts): void {
  if (type === 'response.failed') throw streamFailure(parts.where, response['error'] ?? response);
  if (type !== 'response.completed' && type !== 'response.incomplete') return;
  // Some services send the answer only with its end.
  const { output } = response;
  if (!parts.hasContent && Array.isArray(output))
    output.filter(isObject).forEach((item) => readItem(item, parts, item));
  parts.setUsage(response, toUsage(response['usage']));
  parts.end();
}
