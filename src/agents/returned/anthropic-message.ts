// Messages of the Anthropic SDK, and what its `messages.stream()` returns.

import { isObject } from '../../json/is-object.ts';
import type { Transcript } from '../../model/agent.ts';
import { isCount } from '../../model/spending.ts';
import type { Fields } from '../frameworks/framework.ts';
import { callMethod, hasMethods, objectsIn, readField, textIn } from '../frameworks/framework.ts';
import type { ModelCall } from '../frameworks/spending.ts';
import { tokenCounts } from '../frameworks/spending.ts';
import type { AnswerFormat } from './answer-format.ts';
import type { Exchange, SaidCall } from './exchange.ts';
import { saidCall, toAnswer } from './exchange.ts';
import { partsText } from './parts-text.ts';
import { unknownCall } from './unreadable.ts';

export const anthropicMessage: AnswerFormat = {
  matches: ({ type, role, content }) => type === 'message' && role === 'assistant' && Array.isArray(content),
  read: readMessage,
};

/** `messages.stream()`. It also gives what a listener has read already. */
export const anthropicStream: AnswerFormat = {
  matches: (value) => hasMethods(value, 'finalMessage', 'finalText'),
  async read(value, exchange) {
    const message = await callMethod(value, 'finalMessage');
    return readMessage(isObject(message) ? message : {}, exchange);
  },
};

function readMessage(message: Fields, exchange: Exchange): Promise<Transcript> {
  const blocks = objectsIn(message['content']);
  return toAnswer(
    {
      text: partsText(blocks.filter(({ type }) => type === 'text')),
      object: message['parsed_output'],
      calls: callsIn(blocks),
      spent: [toModelCall(message)],
    },
    exchange,
  );
}

/** Calls of tools that Anthropic runs itself (`server_tool_use`, `mcp_tool_use`) have their results in the same message. */
function callsIn(blocks: readonly Fields[]): SaidCall[] {
  const calls: SaidCall[] = [];
  for (const block of blocks) {
    const type = textIn(block, 'type') ?? '';
    if (type.endsWith('tool_use')) calls.push(saidCall(block['id'], block['name'], block['input']));
    if (!type.endsWith('tool_result')) continue;
    const made = calls.find(({ id }) => id === block['tool_use_id']);
    if (made === undefined) throw unknownCall('message', block['tool_use_id']);
    const { content } = block;
    const problem = textIn(content, 'error_code');
    if (problem !== undefined) made.call.error = problem;
    else if (block['is_error'] === true) made.call.error = partsText(content);
    else made.call.result = type === 'mcp_tool_result' ? partsText(content) : content;
  }
  return calls;
}

/** Anthropic counts the tokens of its cache apart from the other input tokens. */
function toModelCall(message: Fields): ModelCall {
  const usage = readField(message, 'usage');
  const read = readField(usage, 'cache_read_input_tokens');
  const write = readField(usage, 'cache_creation_input_tokens');
  const fresh = readField(usage, 'input_tokens');
  const counted = [fresh, read, write].filter(isCount).reduce((sum, count) => sum + count, 0);
  return {
    provider: 'anthropic',
    model: textIn(message, 'model'),
    usage: tokenCounts(isCount(fresh) ? counted : undefined, readField(usage, 'output_tokens'), {
      read,
      write,
    }),
  };
}
