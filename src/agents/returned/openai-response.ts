// Responses of the OpenAI SDK, and what its `responses.stream()` returns.

import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { Transcript } from '../../model/agent.ts';
import { sentFailure } from '../frameworks/failure.ts';
import type { Fields } from '../frameworks/framework.ts';
import { callMethod, hasMethods, objectsIn, readField, textIn } from '../frameworks/framework.ts';
import { tokenCounts } from '../frameworks/spending.ts';
import type { AnswerFormat } from './answer-format.ts';
import type { Exchange, SaidCall } from './exchange.ts';
import { saidCall, toAnswer } from './exchange.ts';
import { partsText } from './parts-text.ts';
import { incompleteAnswer } from './unreadable.ts';

/** Items that are calls of tools end with this: `function_call`, `mcp_call`, `web_search_call`. */
const CALL = /_call$/;
/** The states of a response that is not finished: it runs in the background. */
const UNFINISHED = new Set<unknown>(['in_progress', 'queued']);

export const openAiResponse: AnswerFormat = {
  matches: (value) => value['object'] === 'response' && 'output' in value,
  read: readResponse,
};

/** `responses.stream()`. It also gives what a listener has read already. */
export const openAiResponseStream: AnswerFormat = {
  matches: (value) => hasMethods(value, 'finalResponse'),
  async read(value, exchange) {
    const response = await callMethod(value, 'finalResponse');
    return readResponse(isObject(response) ? response : {}, exchange);
  },
};

function readResponse(response: Fields, exchange: Exchange): Promise<Transcript> {
  const { status, error } = response;
  if (status === 'failed') throw sentFailure(error);
  if (status === 'cancelled') throw new AttemptError('agent', 'the response of the model was cancelled');
  if (UNFINISHED.has(status)) throw incompleteAnswer('response', `it is still ${String(status)}`);
  const items = objectsIn(response['output']);
  const messages = items.filter(({ type }) => type === 'message');
  const usage = readField(response, 'usage');
  const details = readField(usage, 'input_tokens_details');
  const counts = tokenCounts(readField(usage, 'input_tokens'), readField(usage, 'output_tokens'), {
    read: readField(details, 'cached_tokens'),
  });
  return toAnswer(
    {
      text: messages.map(({ content }) => partsText(content)).join(''),
      object: response['output_parsed'],
      calls: callsIn(items),
      spent: [{ model: textIn(response, 'model'), usage: counts }],
    },
    exchange,
  );
}

/** Tools that OpenAI runs itself have no name: their type is the name. Only those of MCP servers have a result. */
function callsIn(items: readonly Fields[]): SaidCall[] {
  return items
    .filter(({ type }) => typeof type === 'string' && CALL.test(type))
    .map((item) => {
      const { type, call_id: id = item['id'], name = type, arguments: given = item['input'] } = item;
      const said = saidCall(id, name, given ?? item['action']);
      const error = readField(item, 'error');
      if (typeof error === 'string' && error !== '') said.call.error = error;
      else if (type === 'mcp_call' && item['output'] !== undefined) said.call.result = item['output'];
      return said;
    });
}
