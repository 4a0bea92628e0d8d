// Chat completions of the OpenAI SDK, and what its `stream()` and `runTools()` return.

import { isObject } from '../../json/is-object.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { Fields } from '../frameworks/framework.ts';
import { callMethod, hasMethods, objectsIn, readField, textIn } from '../frameworks/framework.ts';
import type { ModelCall } from '../frameworks/spending.ts';
import { tokenCounts } from '../frameworks/spending.ts';
import { wireCall } from '../frameworks/wire-call.ts';
import type { AnswerFormat } from './answer-format.ts';
import type { Exchange, SaidCall } from './exchange.ts';
import { saidCall, toAnswer } from './exchange.ts';
import { partsText } from './parts-text.ts';
import { incompleteAnswer } from './unreadable.ts';

export const openAiChat: AnswerFormat = {
  matches: (value) => value['object'] === 'chat.completion',
  read: (value, exchange) => readCompletions([value], [], exchange),
};

/** `chat.completions.stream()` and `runTools()`. They also give what a listener has read already. */
export const openAiChatRunner: AnswerFormat = {
  matches: (value) => hasMethods(value, 'finalChatCompletion', 'allChatCompletions'),
  async read(value, exchange) {
    await callMethod(value, 'finalChatCompletion');
    const completions = objectsIn(callMethod(value, 'allChatCompletions'));
    return readCompletions(completions, objectsIn(readField(value, 'messages')), exchange);
  },
};

/** The last completion is the answer. `messages` have the results of the tools that were called before it. */
function readCompletions(
  completions: readonly Fields[],
  messages: readonly Fields[],
  exchange: Exchange,
): Promise<Transcript> {
  const replies = completions.map(
    (completion) => objectsIn(readField(completion, 'choices'))[0]?.['message'],
  );
  const last = replies.at(-1);
  if (!isObject(last)) throw incompleteAnswer('chat completion', 'it has no choices');
  const calls = replies.flatMap(callsIn);
  for (const { role, tool_call_id: id, content } of messages) {
    const made = role === 'tool' ? calls.find((call) => call.id === id) : undefined;
    if (made !== undefined) made.call.result = typeof content === 'string' ? content : partsText(content);
  }
  const text = partsText(last['content']);
  return toAnswer(
    {
      text: text === '' ? (textIn(last, 'refusal') ?? '') : text,
      object: last['parsed'],
      calls,
      spent: completions.map(toModelCall),
      ...(messages.length > 0 && { messages: messages.map(toMessage) }),
    },
    exchange,
  );
}

/** Without the fields that the SDK adds. */
function toMessage(message: Fields): Message {
  const { role, content, tool_call_id: id, name } = message;
  const calls = callsIn(message).map(({ id: callId, call }) => wireCall(callId, call.name, call.arguments));
  return {
    role: String(role),
    // Messages of chat completions have the contents of a case. Streams begin with an empty text.
    content: (content === '' && calls.length > 0 ? null : (content ?? null)) as Message['content'],
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(typeof id === 'string' && { tool_call_id: id }),
    ...(typeof name === 'string' && { name }),
  };
}

function callsIn(message: unknown): SaidCall[] {
  const calls = objectsIn(readField(message, 'tool_calls')).map((call) => {
    const custom = readField(call, 'custom');
    const made = isObject(custom) ? custom : readField(call, 'function');
    const given = readField(made, isObject(custom) ? 'input' : 'arguments');
    return saidCall(call['id'], readField(made, 'name'), given);
  });
  const old = readField(message, 'function_call');
  return isObject(old) ? [...calls, saidCall('function_call', old['name'], old['arguments'])] : calls;
}

function toModelCall(completion: Fields): ModelCall {
  const usage = readField(completion, 'usage');
  const details = readField(usage, 'prompt_tokens_details');
  return {
    model: textIn(completion, 'model'),
    usage: tokenCounts(readField(usage, 'prompt_tokens'), readField(usage, 'completion_tokens'), {
      read: readField(details, 'cached_tokens'),
    }),
  };
}
