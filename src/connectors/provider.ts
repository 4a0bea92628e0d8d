// The interface of a model provider: one call, without retries and prices.

import type { Usage } from '../model/agent.ts';
import type { Connector } from '../model/connector.ts';
import type { ChatAnswer, ChatRequest } from './chat.ts';

/** Token counts for pricing; input tokens include those of the cache. */
export type TokenCounts = Usage & { cache_read_tokens?: number; cache_write_tokens?: number };

export type ModelAnswer = Omit<ChatAnswer, 'cost_usd' | 'usage'> & { usage?: TokenCounts };

/** `request.options` are already merged. Throws AttemptError, or the reason of the signal. */
export type AskModel = (
  connector: Connector,
  request: ChatRequest,
  deps: { root: string; signal: AbortSignal; heard?(text: string): void },
) => Promise<ModelAnswer>;
