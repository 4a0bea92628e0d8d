// Calls a language model of the AI SDK, from any provider.

import { AttemptError, messageOf } from '../../errors.ts';
import type { Connector } from '../../model/connector.ts';
import { isCount } from '../../model/spending.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { isObject } from '../../json/is-object.ts';
import { toCallOptions } from './ai-sdk-prompt.ts';
import type { ChatRequest, ChatToolCall } from '../chat.ts';
import type { HeaderFields } from '../failure.ts';
import { modelError, sentError, serverMessage, statusError } from '../failure.ts';
import { networkError } from '../http/http-post.ts';
import { parseArguments } from './openai-answer.ts';
import type { ModelAnswer, TokenCounts } from '../provider.ts';
import { argumentsProblem } from '../tool-arguments.ts';
import { raceSignal } from '../../platform/race.ts';

type Call = (options: object) => PromiseLike<unknown>;

/** A language model of version 2 or 3 of the specification has at least one of these methods. */
export type AnyLanguageModel = { doStream?: unknown; doGenerate?: unknown; specificationVersion?: unknown };

export function isLanguageModel(value: unknown): value is AnyLanguageModel {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return ['doStream', 'doGenerate'].some((name) => typeof Reflect.get(value, name) === 'function');
}

/** Streams the answer if the model can. */
export async function askLanguageModel(
  connector: Connector,
  model: AnyLanguageModel,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const controller = new AbortController();
  const options = {
    ...toCallOptions(request, connector.type, model.specificationVersion === 'v2' ? 'v2' : 'v3'),
    ...(connector.headers !== undefined && { headers: connector.headers }),
    abortSignal: controller.signal,
  };
  try {
    const work = typeof model.doStream === 'function' ? stream(model, options) : generate(model, options);
    return await raceSignal(work, signal);
  } catch (error) {
    controller.abort(error);
    if (signal.aborted && error === signal.reason) throw error;
    throw toFailure(connector, error);
  }
}

async function stream(model: AnyLanguageModel, options: object): Promise<ModelAnswer> {
  const startedAt = performance.now();
  // The caller has checked that it is a function; the result is validated below.
  const result = await (model.doStream as Call).call(model, options);
  const parts = isObject(result) ? result['stream'] : undefined;
  if (!isAsyncIterable(parts)) throw new AttemptError('protocol', 'doStream gave no stream');
  const answer: ModelAnswer = { content: '' };
  const calls: ChatToolCall[] = [];
  let isFinished = false;
  let size = 0;
  for await (const part of parts) {
    if (!isObject(part)) continue;
    if (part['type'] === 'error') throw part['error'];
    if (part['type'] === 'text-delta' || part['type'] === 'tool-input-start' || part['type'] === 'tool-call')
      answer.first_token_ms ??= performance.now() - startedAt;
    if (part['type'] === 'text-delta') answer.content += String(part['delta']);
    if (part['type'] === 'tool-call') calls.push(toToolCall(part));
    if (part['type'] === 'response-metadata' && typeof part['modelId'] === 'string')
      answer.model = part['modelId'];
    if (part['type'] === 'finish') {
      isFinished = isEnding(part['finishReason']);
      addEnding(answer, part);
    }
    size += typeof part['delta'] === 'string' ? part['delta'].length : 0;
    if (size > OUTPUT_LIMIT)
      throw new AttemptError('protocol', 'answered more than 10 MB; at most 10 MB of an answer is read');
  }
  if (!isFinished) throw new AttemptError('connection', 'the answer was cut off');
  return calls.length === 0 ? answer : { ...answer, tool_calls: calls };
}

/** Some providers end a stream that was cut off without an error; its finish reason is then unknown. */
function isEnding(reason: unknown): boolean {
  return !isObject(reason) || reason['unified'] !== 'other' || reason['raw'] !== undefined;
}

async function generate(model: AnyLanguageModel, options: object): Promise<ModelAnswer> {
  // The caller has checked that it is a function; the result is validated below.
  const result = await (model.doGenerate as Call).call(model, options);
  if (!isObject(result) || !Array.isArray(result['content']))
    throw new AttemptError('protocol', 'doGenerate gave no content');
  const parts = result['content'].filter(isObject);
  const texts = parts.filter(({ type }) => type === 'text').map(({ text }) => String(text));
  const calls = parts.filter(({ type }) => type === 'tool-call').map(toToolCall);
  const answer: ModelAnswer = { content: texts.join(''), ...(calls.length > 0 && { tool_calls: calls }) };
  addEnding(answer, result);
  return answer;
}

function toToolCall({ toolCallId, toolName, input }: Record<string, unknown>): ChatToolCall {
  const given = typeof input === 'string' ? parseArguments(input) : (input ?? {});
  const problem = argumentsProblem(String(toolName), given);
  if (problem !== undefined) throw new AttemptError('protocol', problem);
  return { id: String(toolCallId), name: String(toolName), arguments: given };
}

/** Adds the finish reason, in the format of chat completions, and the token counts. */
function addEnding(answer: ModelAnswer, { finishReason, usage }: Record<string, unknown>): void {
  const reason = isObject(finishReason) ? finishReason['unified'] : finishReason;
  if (typeof reason === 'string') answer.finish_reason = reason.replaceAll('-', '_');
  const counts = isObject(usage) ? readUsage(usage) : undefined;
  if (counts !== undefined) answer.usage = counts;
}

function readUsage({ inputTokens, outputTokens, cachedInputTokens }: Record<string, unknown>) {
  const input = isObject(inputTokens) ? inputTokens : { total: inputTokens, cacheRead: cachedInputTokens };
  const output = isObject(outputTokens) ? outputTokens['total'] : outputTokens;
  const { total, cacheRead, cacheWrite } = input;
  const counts: TokenCounts = {};
  if (isCount(total)) counts.input_tokens = total;
  if (isCount(output)) counts.output_tokens = output;
  if (isCount(cacheRead) && cacheRead > 0) counts.cache_read_tokens = cacheRead;
  if (isCount(cacheWrite) && cacheWrite > 0) counts.cache_write_tokens = cacheWrite;
  return Object.keys(counts).length === 0 ? undefined : counts;
}

/** Recognises errors of the AI SDK by their fields, because every package may bundle its own classes. */
function toFailure(connector: Connector, error: unknown): AttemptError {
  if (error instanceof AttemptError)
    return modelError(connector, error.code, error.message, { cause: error, isFinal: error.isFinal });
  const { statusCode, responseHeaders, responseBody, name, value } = asFields(error);
  if (typeof statusCode === 'number' && (statusCode < 200 || statusCode > 299)) {
    const body = typeof responseBody === 'string' ? responseBody : '';
    // Headers of the AI SDK are an object of strings.
    const headers = isObject(responseHeaders) ? (responseHeaders as HeaderFields) : {};
    const { location } = headers;
    const known = body === '' && location !== undefined ? `go to ${String(location)}` : messageOf(error);
    const text = serverMessage(body) === undefined ? known : body;
    return statusError(connector, statusCode, headers, text, error);
  }
  // An error event inside a stream is thrown as it was sent, or wrapped in a validation error.
  const sent = isError(error) ? asFields(value)['error'] : error;
  const { type, code, status, message } = asFields(sent);
  if (typeof message === 'string') return sentError(connector, { type, code, status, message });
  const isRefused = /^AI_(?:Unsupported|InvalidPrompt|InvalidArgument|NoSuchModel|Load)/.test(String(name));
  if (isRefused) return modelError(connector, 'harness', messageOf(error), { cause: error, isFinal: true });
  const isUnreadable = /^AI_(?:InvalidResponse|JSONParse|TypeValidation|EmptyResponse)/.test(String(name));
  if (isUnreadable) return modelError(connector, 'protocol', messageOf(error), { cause: error });
  return modelError(connector, 'connection', rootCause(error), { cause: error });
}

/** The innermost cause: fetch and the AI SDK wrap network errors. */
function rootCause(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5; depth += 1) {
    const { cause } = asFields(inner);
    if (!(cause instanceof Error)) break;
    inner = cause;
  }
  return networkError(inner);
}

/** Also accepts errors of another realm. */
function isError(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Error]';
}

function asFields(error: unknown): Record<string, unknown> {
  return isObject(error) ? error : {};
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
