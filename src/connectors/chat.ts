// Calls a model with messages and tools: limits concurrency, retries, and adds the cost.

import { isThenable } from '../platform/thenable.ts';
import type { AttemptError } from '../errors.ts';
import type { Usage } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import type { Connector, ConnectorType } from '../model/connector.ts';
import { isObject } from '../json/is-object.ts';
import { reportedTime } from '../platform/tape-scope.ts';
import { askOpenAi } from './models/openai.ts';
import { withRetry } from './retry.ts';
import { callCost, preparePrice } from './price.ts';
import type { AskModel } from './provider.ts';
import { limitName, overrideOptions } from './token-limit.ts';

/** A tool as a model sees it. */
export type ChatTool = { name: string; description?: string; parameters: Record<string, unknown> };

/**
 * Messages have the format of chat completions: an assistant's `tool_calls` are
 * `{id, type: 'function', function: {name, arguments: text}}`, answered by `{role: 'tool', tool_call_id, content}`.
 */
export type ChatRequest = { messages: Message[]; tools?: ChatTool[]; options: Record<string, unknown> };

/** `arguments` is the parsed JSON, or the text if it is not JSON. */
export type ChatToolCall = { id: string; name: string; arguments: unknown };

export type ChatAnswer = {
  content: string;
  tool_calls?: ChatToolCall[];
  finish_reason?: string;
  usage?: Usage;
  /** Null if the price is unknown. */
  cost_usd: number | null;
  first_token_ms?: number;
  model?: string;
};

export type ChatDeps = {
  /** The application root, which holds the cache of bundles. */
  root: string;
  signal: AbortSignal;
  /** How often a failed call is retried. */
  retries: number;
  /** Receives progress lines, such as waits and retries. */
  log(line: string): void;
  /** Called when the call has to wait, so that a timeout is not blamed on the model; call the result when the wait is over. */
  waiting?(reason: AttemptError): () => void;
  /** Receives the pieces of an answer that is streamed; again from the start after a retry. */
  heard?(text: string): void;
  /** The first retry pause, 250 ms by default; it doubles with every try. */
  backoffMs?: number;
};

/** Throws failures as AttemptError. */
export async function chat(connector: Connector, request: ChatRequest, deps: ChatDeps): Promise<ChatAnswer> {
  const whole = { ...request, options: mergeOptions(connector.options, request.options) };
  preparePrice(connector);
  const ask = PROVIDERS[connector.type];
  const answer = await withRetry(connector, deps, () => ask(connector, whole, deps));
  const { usage, ...rest } = answer;
  if (rest.first_token_ms !== undefined)
    rest.first_token_ms = reportedTime('first token', rest.first_token_ms);
  const priced = callCost(connector, usage);
  const cost = isThenable(priced) ? await priced : priced;
  if (usage === undefined) return { ...rest, cost_usd: cost };
  const { input_tokens: input, output_tokens: output } = usage;
  return {
    ...rest,
    usage: {
      input_tokens: input,
      output_tokens: output,
    },
    cost_usd: cost,
  };
}

/** Loaded on first use. */
const PROVIDERS: Record<ConnectorType, AskModel> = {
  anthropic: async (...call) => (await import('./models/ai-sdk.ts')).askAnthropic(...call),
  google: async (...call) => (await import('./models/ai-sdk.ts')).askGoogle(...call),
  module: async (...call) => (await import('./models/module-model.ts')).askModule(...call),
  openai: askOpenAi,
};

/** The request overrides the connector, except for the name of the token limit; `extra_body` objects are merged. */
function mergeOptions(
  defaults: Record<string, unknown> | undefined,
  options: Record<string, unknown>,
): Record<string, unknown> {
  if (defaults === undefined) return options;
  const merged = overrideOptions(defaults, options);
  const [own, said] = [limitName(defaults), limitName(options)];
  if (own !== undefined && said !== undefined && own !== said) {
    merged[own] = merged[said];
    delete merged[said];
  }
  const [first, second] = [defaults['extra_body'], options['extra_body']];
  if (isObject(first) && isObject(second)) merged['extra_body'] = { ...first, ...second };
  return merged;
}
