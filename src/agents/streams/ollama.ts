// Lines of Ollama's `/api/chat` and `/api/generate`.

import { isObject } from '../../json/is-object.ts';
import type { AnswerParts } from './answer-parts.ts';
import type { Fields, Protocol } from './protocol.ts';
import { unreadableEvent } from './stream-failure.ts';
import { tokenCounts } from './token-counts.ts';

export const ollama: Protocol = {
  end: '"done": true',
  reportsAllCalls: false,
  recognises: isOllama,
  open: (parts) => {
    let isOpen = false;
    let count = 0;
    return (event) => {
      // Checked by the reader.
      const line = event as Fields;
      if (!isOpen) parts.begin();
      isOpen = line['done'] !== true;
      count = readOllama(line, parts, count);
    };
  },
};

export function isOllama(event: unknown): event is Fields {
  if (!isObject(event) || typeof event['done'] !== 'boolean' || typeof event['model'] !== 'string')
    return false;
  return isObject(event['message']) || typeof event['response'] === 'string';
}

/** Adds a line and returns how many tool calls were read. Calls have no ids, and each line has whole ones. */
export function readOllama(line: Fields, parts: AnswerParts, callCount: number): number {
  const { message, response, done } = line;
  const { content, tool_calls: calls } = fieldsOf(message, line, parts);
  parts.addContent(content ?? response, line);
  const items = calls ?? [];
  if (!Array.isArray(items)) throw unreadableEvent(parts.where, line);
  items.forEach((item: unknown, index) => {
    const called = isObject(item) && isObject(item['function']) ? item['function'] : {};
    parts.openCall(callCount + index, called['name'], line);
    parts.setArguments(callCount + index, called['arguments']);
  });
  if (done === true) {
    parts.setUsage(parts.step, tokenCounts(line, 'prompt_eval_count', 'eval_count'));
    parts.end();
  }
  return callCount + items.length;
}

/** The fields of a message. Lines of `/api/generate` have none. */
function fieldsOf(message: unknown, line: Fields, parts: AnswerParts): Fields {
  const fields = message ?? {};
  if (!isObject(fields)) throw unreadableEvent(parts.where, line);
  return fields;
}
