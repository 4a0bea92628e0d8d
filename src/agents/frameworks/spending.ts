// Adds up the tokens and the cost of a framework agent's model calls.

import { callCost } from '../../connectors/price.ts';
import type { TokenCounts } from '../../connectors/provider.ts';
import type { Usage } from '../../model/agent.ts';
import type { Connector } from '../../model/connector.ts';
import type { Spending } from '../../model/spending.ts';
import { addCost, addUsage, isCount } from '../../model/spending.ts';

/** One call of a model, as a framework reports it. */
export type ModelCall = {
  /** The framework's name of the service: `openai.chat`, `anthropic.messages`, `groq`. */
  provider?: string | undefined;
  model?: string | undefined;
  usage: TokenCounts | undefined;
};

/** Services that resell models: their prices are looked up by URL. */
const ADDRESSES: Record<string, string> = {
  cerebras: 'https://api.cerebras.ai/v1',
  cohere: 'https://api.cohere.com/v2',
  deepseek: 'https://api.deepseek.com',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  perplexity: 'https://api.perplexity.ai',
  togetherai: 'https://api.together.xyz/v1',
  xai: 'https://api.x.ai/v1',
};

/** The sum of all calls. A call without token counts makes usage and cost unknown, one without a price only the cost. */
export async function addUpSpending(calls: readonly ModelCall[]): Promise<Spending> {
  if (calls.length === 0) return {};
  let usage: Usage | undefined;
  let cost: number | null | undefined;
  for (const call of calls) {
    if (call.usage === undefined) return { cost_usd: null };
    const { input_tokens = 0, output_tokens = 0 } = call.usage;
    usage = addUsage(usage, { input_tokens, output_tokens });
    cost = addCost(cost, await callCost(pricedConnector(call), call.usage));
  }
  const cost_usd = typeof cost === 'number' ? Number(cost.toFixed(10)) : null;
  return { usage, cost_usd };
}

/** Undefined unless both counts are present and not both zero, which some frameworks use as a default. */
export function tokenCounts(
  input: unknown,
  output: unknown,
  cache: { read?: unknown; write?: unknown } = {},
): TokenCounts | undefined {
  if (!isCount(input) || !isCount(output) || input + output === 0) return undefined;
  const counts: TokenCounts = { input_tokens: input, output_tokens: output };
  if (isCount(cache.read) && cache.read > 0) counts.cache_read_tokens = cache.read;
  if (isCount(cache.write) && cache.write > 0) counts.cache_write_tokens = cache.write;
  return counts;
}

/** A connector for looking up the price of a call. */
function pricedConnector({ provider = '', model = '' }: ModelCall): Connector {
  const service = provider.split('.')[0] ?? '';
  const type = service === 'anthropic' || service === 'google' ? service : 'openai';
  return { id: model, type, model, url: ADDRESSES[service] };
}
