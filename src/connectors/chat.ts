// A conversation and tools come in, the model's answer goes out: streamed inside, limited, tried again, priced.

import type { AttemptError } from '../errors.ts';
import type { Usage } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import type { Connector, ConnectorType } from '../model/connector.ts';
import { isObject } from '../json/is-object.ts';
import { reportedTime } from '../platform/tape-scope.ts';
import { askOpenAi } from './models/openai.ts';
import { withRetry } from './retry.ts';
import { costOf, preparePrice } from './price.ts';
import type { AskModel } from './provider.ts';
import { limitName, overOptions } from './token-limit.ts';

/** A tool as a model sees it. */
export type ChatTool = { name: string; description?: string; parameters: Record<string, unknown> };

/**
 * Messages are in the form of chat completions: an assistant's `tool_calls` are
 * `{id, type: 'function', function: {name, arguments: text}}`, answered by `{role: 'tool', tool_call_id, content}`.
 */
export type ChatRequest = { messages: Message[]; tools?: ChatTool[]; options: Record<string, unknown> };

/** `arguments` is what the model's JSON means, or its text if that is no JSON. */
export type ChatToolCall = { id: string; name: string; arguments: unknown };

export type ChatAnswer = {
  content: string;
  tool_calls?: ChatToolCall[];
  finish_reason?: string;
  usage?: Usage;
  /** Null if the price is not known. */
  cost_usd: number | null;
  first_token_ms?: number;
  model?: string;
};

export type ChatDeps = {
  /** The application root, which holds the cache of bundles. */
  root: string;
  signal: AbortSignal;
  /** Further tries for what could not be measured. */
  retries: number;
  /** Told what a person may want to know: waiting, trying again. */
  log(line: string): void;
  /** Told what keeps the call from going on, because a deadline then is not the model's fault; gives what ends it. */
  waiting?(reason: AttemptError): () => void;
  /** What waits start from, 250 ms unless said otherwise; they double with every try. */
  backoffMs?: number;
};

/** Asks a model. Failures are thrown as AttemptError. */
export async function chat(connector: Connector, request: ChatRequest, deps: ChatDeps): Promise<ChatAnswer> {
  const whole = { ...request, options: mergeOptions(connector.options, request.options) };
  preparePrice(connector);
  const ask = PROVIDERS[connector.type];
  const answer = await withRetry(connector, deps, () => ask(connector, whole, deps));
  const { usage, ...rest } = answer;
  if (rest.first_token_ms !== undefined)
    rest.first_token_ms = reportedTime('first token', rest.first_token_ms);
  const priced = costOf(connector, usage);
  const cost = priced instanceof Promise ? await priced : priced;
  if (usage === undefined) return { ...rest, cost_usd: cost };
  const { input_tokens: input, output_tokens: output } = usage;
  return {
    ...rest,
    usage: {
      ...(input !== undefined && { input_tokens: input }),
      ...(output !== undefined && { output_tokens: output }),
    },
    cost_usd: cost,
  };
}

/** Each is loaded by the first call that needs it. */
const PROVIDERS: Record<ConnectorType, AskModel> = {
  anthropic: async (...call) => (await import('./models/ai-sdk.ts')).askAnthropic(...call),
  google: async (...call) => (await import('./models/ai-sdk.ts')).askGoogle(...call),
  module: async (...call) => (await import('./models/module-model.ts')).askModule(...call),
  openai: askOpenAi,
};

/** The request wins over the connector, whose name for the limit of an answer is kept; bodies that are added are added up. */
function mergeOptions(
  defaults: Record<string, unknown> | undefined,
  options: Record<string, unknown>,
): Record<string, unknown> {
  if (defaults === undefined) return options;
  const merged = overOptions(defaults, options);
  const [own, said] = [limitName(defaults), limitName(options)];
  if (own !== undefined && said !== undefined && own !== said) {
    merged[own] = merged[said];
    delete merged[said];
  }
  const [first, second] = [defaults['extra_body'], options['extra_body']];
  if (isObject(first) && isObject(second)) merged['extra_body'] = { ...first, ...second };
  return merged;
}
