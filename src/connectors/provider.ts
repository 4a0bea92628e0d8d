// What every way to a model looks like to the rest of this folder: one try, nothing repeated, nothing priced.

import type { Usage } from '../model/agent.ts';
import type { Connector } from '../model/connector.ts';
import type { ChatAnswer, ChatRequest } from './chat.ts';

/** Tokens as they are paid for; those of the cache are among the input tokens. */
export type TokenCounts = Usage & { cache_read_tokens?: number; cache_write_tokens?: number };

export type ModelAnswer = Omit<ChatAnswer, 'cost_usd' | 'usage'> & { usage?: TokenCounts };

/** Asks once. Options are merged already. Failures are thrown as AttemptError; an abort as the signal's reason. */
export type AskModel = (
  connector: Connector,
  request: ChatRequest,
  deps: { root: string; signal: AbortSignal },
) => Promise<ModelAnswer>;
