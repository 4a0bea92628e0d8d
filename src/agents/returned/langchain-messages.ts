// Messages of LangChain: one, a list, the state of a graph that has them, and the chunks of a stream.

import type { Transcript } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import type { Fields } from '../frameworks/framework.ts';
import { callMethod, hasMethods, objectsIn, readField, textIn } from '../frameworks/framework.ts';
import { readState } from '../frameworks/langchain.ts';
import { contentText, fromLangChain } from '../frameworks/langchain-messages.ts';
import type { ModelCall } from '../frameworks/spending.ts';
import { addUpSpending, tokenCounts } from '../frameworks/spending.ts';
import { isLangChainMessage } from '../plain-answer.ts';
import { lastInput } from '../transcript.ts';
import type { AnswerFormat } from './answer-format.ts';
import type { Exchange, SaidCall } from './exchange.ts';
import { saidCall, toAnswer } from './exchange.ts';
import { unknownCall } from './unreadable.ts';

export const langChainMessage: AnswerFormat = {
  matches: isLangChainMessage,
  read: readMessage,
};

/** The state of a LangGraph graph or of `createAgent`. A list of messages is read as `{messages}`. */
export const langChainState: AnswerFormat = {
  matches: ({ messages }) => Array.isArray(messages) && isLangChainMessage(messages.at(-1)),
  read: readMessages,
};

/** Joins the chunks of a stream; undefined for the first one. */
export function joinChunks(before: Fields | undefined, chunk: Fields): Fields {
  if (before === undefined || !hasMethods(before, 'concat')) return chunk;
  return callMethod(before, 'concat', chunk) as Fields;
}

export function readMessage(message: Fields, exchange: Exchange): Promise<Transcript> {
  const calls = objectsIn(readField(message, 'tool_calls')).map(toCall);
  return toAnswer({ text: contentText(message), calls, spent: modelCalls([message]) }, exchange);
}

async function readMessages(state: Fields, { given }: Exchange): Promise<Transcript> {
  const answer = readState(state, given);
  const said = saidAfter(objectsIn(state['messages']), given);
  return { ...answer, tool_calls: callsIn(said), ...(await addUpSpending(modelCalls(said))) };
}

/** The messages after the question. A list without the question has only the answer. */
function saidAfter(list: readonly Fields[], given: readonly Message[]): Fields[] {
  const question = lastInput([...given]);
  const isFromUser = (message: Fields): boolean => fromLangChain(message).role === 'user';
  const isQuestion = (message: Fields): boolean => isFromUser(message) && contentText(message) === question;
  const asked = list.findLastIndex(isQuestion);
  return list.slice((asked === -1 ? list.findLastIndex(isFromUser) : asked) + 1);
}

function callsIn(messages: readonly Fields[]): Transcript['tool_calls'] {
  const calls: SaidCall[] = [];
  for (const message of messages) {
    calls.push(...objectsIn(readField(message, 'tool_calls')).map(toCall));
    // Some models restart call ids in every step: a result belongs to the latest call.
    if (fromLangChain(message).role !== 'tool') continue;
    const callId = readField(message, 'tool_call_id');
    const made = calls.findLast(({ id }) => id === callId);
    if (made === undefined) throw unknownCall('list of messages', callId);
    if (message['status'] === 'error') made.call.error = contentText(message);
    else made.call.result = contentText(message);
  }
  return calls.map(({ call }) => call);
}

function toCall({ id, name, args }: Fields): SaidCall {
  return saidCall(id, name, args);
}

/** Messages of a model without token counts make the usage unknown. */
function modelCalls(messages: readonly Fields[]): ModelCall[] {
  return messages
    .filter((message) => fromLangChain(message).role === 'assistant')
    .map((message) => {
      const usage = readField(message, 'usage_metadata');
      const metadata = readField(message, 'response_metadata');
      const details = readField(usage, 'input_token_details');
      return {
        provider: textIn(metadata, 'model_provider'),
        model: textIn(metadata, 'model_name') ?? textIn(metadata, 'model'),
        usage: tokenCounts(readField(usage, 'input_tokens'), readField(usage, 'output_tokens'), {
          read: readField(details, 'cache_read'),
          write: readField(details, 'cache_creation'),
        }),
      };
    });
}
