// Events of Anthropic's messages.

import { isObject } from '../../json/is-object.ts';
import type { ToolCall, Usage } from '../../model/agent.ts';
import { isCount } from '../../model/spending.ts';
import type { AnswerParts } from './answer-parts.ts';
import type { Fields, Protocol } from './protocol.ts';
import { unreadableEvent } from './stream-failure.ts';
import { toolOutcome } from './tool-outcome.ts';

const TYPES = /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop))$/;

export const anthropicMessages: Protocol = {
  end: 'message_stop',
  reportsAllCalls: false,
  recognises: (event) => isObject(event) && typeof event['type'] === 'string' && TYPES.test(event['type']),
  open: (parts) => {
    // The index of a content block leads to the id of its tool call.
    const ids = new Map<unknown, unknown>();
    return (event) => {
      // Checked by the reader.
      const { type, index, message, content_block: block, delta, usage: counts } = event as Fields;
      if (typeof type !== 'string') throw unreadableEvent(parts.where, event);
      if (type === 'message_start') {
        parts.begin();
        ids.clear();
        parts.setUsage(parts.step, messageUsage(isObject(message) ? message['usage'] : undefined));
      } else if (type === 'content_block_start') {
        if (!isObject(block)) throw unreadableEvent(parts.where, event);
        ids.set(index, block['id']);
        readBlock(block, parts, event);
      } else if (type === 'content_block_delta') {
        if (!isObject(delta)) throw unreadableEvent(parts.where, event);
        if (delta['type'] === 'text_delta') parts.addText(delta['text'], event);
        if (delta['type'] === 'input_json_delta')
          parts.addArguments(ids.get(index), delta['partial_json'], event);
      } else if (type === 'message_delta') {
        // The counts are those of the whole message so far.
        parts.setUsage(parts.step, messageUsage(counts));
      } else if (type === 'message_stop') parts.end();
    };
  },
};

/** Reads a content block of a message: text, a tool call, or the result of a tool that the service ran. */
export function readBlock(block: Fields, parts: AnswerParts, event: unknown): void {
  const { type, id, name, input, tool_use_id: callId } = block;
  if (type === 'text') parts.addText(block['text'] ?? '', event);
  else if (typeof type === 'string' && type.endsWith('tool_use')) {
    parts.openCall(id, name, event);
    // A stream begins with an empty object and sends the arguments in pieces.
    parts.setArguments(id, input);
  } else if (typeof type === 'string' && type.endsWith('tool_result')) {
    parts.settleCall(callId, blockOutcome(block));
  }
}

/** Tokens that were written to the cache or read from it count as input. */
export function messageUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const { input_tokens: input, output_tokens: output } = usage;
  const cached = [usage['cache_creation_input_tokens'], usage['cache_read_input_tokens']].filter(isCount);
  const counts: Usage = {
    ...(isCount(input) && { input_tokens: cached.reduce((sum, count) => sum + count, input) }),
    ...(isCount(output) && { output_tokens: output }),
  };
  return Object.keys(counts).length === 0 ? undefined : counts;
}

function blockOutcome({ content, is_error: isError }: Fields): Pick<ToolCall, 'error' | 'result'> {
  const code = isObject(content) ? content['error_code'] : undefined;
  if (typeof code === 'string') return { error: code };
  return toolOutcome(content, isError === true);
}
