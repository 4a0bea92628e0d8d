// The cost of a model call; null, never 0, if the price is unknown.

import { isThenable } from '../platform/thenable.ts';
import type { PriceCalculation, Provider } from '@pydantic/genai-prices';
import type { Connector } from '../model/connector.ts';
import type { TokenCounts } from './provider.ts';

/** The bundled price table and its publication date; it is never updated at run time. */
export const PRICE_TABLE = { name: '@pydantic/genai-prices', version: '0.1.8', date: '2026-09-23' };

type Prices = typeof import('@pydantic/genai-prices');
type Rates = { input: number; output: number; cacheRead: number; cacheWrite: number };
/** Simple rates, or a provider whose price depends on the call; undefined if unknown. */
type Known = Rates | { provider: Provider } | undefined;

const MILLION = 1_000_000;

/** Models that only their maker serves: behind an unknown URL is a gateway to the maker. */
const MAKERS: [pattern: RegExp, provider: string][] = [
  [/^(?:gpt-(?!oss)|o\d|chatgpt-)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'google'],
];

const LOCAL = /^https?:\/\/(?:[^@/]*@)?(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:\/|$)/i;

let table: Promise<Prices> | undefined;
const known = new Map<string, Known | Promise<Known>>();

/** Starts the price lookup, so that it runs while the model answers. */
export function preparePrice(connector: Connector): void {
  if (connector.price === undefined && connector.type !== 'module') void findPrice(connector);
}

/** The cost of a call in US dollars; null without token counts or a price. A promise only until the price is loaded. */
export function callCost(
  connector: Connector,
  usage: TokenCounts | undefined,
): number | null | Promise<number | null> {
  const { input_tokens: input, output_tokens: output } = usage ?? {};
  if (usage === undefined || input === undefined || output === undefined) return null;
  if (connector.price !== undefined) {
    const { price } = connector;
    return dollars((input * price.input + output * price.output) / MILLION);
  }
  if (connector.type === 'module') return null;
  const found = findPrice(connector);
  return isThenable(found)
    ? found.then((price) => priced(connector, usage, price))
    : priced(connector, usage, found);
}

function priced(
  connector: Connector,
  usage: TokenCounts,
  price: Known,
): number | null | Promise<number | null> {
  if (price === undefined) return null;
  if ('provider' in price) {
    const { provider } = price;
    return loadTable().then((prices) => calculate(prices, connector.model, usage, provider));
  }
  const { input_tokens: input = 0, output_tokens: output = 0 } = usage;
  const { cache_read_tokens: read = 0, cache_write_tokens: written = 0 } = usage;
  const fresh = Math.max(0, input - read - written);
  const sum =
    fresh * price.input + read * price.cacheRead + written * price.cacheWrite + output * price.output;
  return dollars(sum / MILLION);
}

function findPrice(connector: Connector): Known | Promise<Known> {
  const name = `${connector.type}\0${connector.url ?? ''}\0${connector.model}`;
  if (known.has(name)) return known.get(name);
  const remember = (price: Known): Known => {
    known.set(name, price);
    return price;
  };
  const sources = priceSources(connector);
  if (sources.length === 0) return remember(undefined);
  // If the table cannot be loaded, the price is unknown; the call itself must not fail.
  const looking = look(connector, sources).then(remember, () => remember(undefined));
  known.set(name, looking);
  return looking;
}

type PriceSource = { providerId?: string; providerApiUrl?: string };

async function look(connector: Connector, sources: readonly PriceSource[]): Promise<Known> {
  const { calcPrice } = await loadTable();
  const usage = { input_tokens: 1, output_tokens: 1 };
  let found: PriceCalculation | null = null;
  for (const place of sources) found ??= calcPrice(usage, connector.model, place);
  return found === null ? undefined : toRates(found);
}

function loadTable(): Promise<Prices> {
  return (table ??= import('@pydantic/genai-prices'));
}

/** The lookups to try; empty for a model on this machine, so that the table is not loaded. */
function priceSources({ type, url, model }: Connector): PriceSource[] {
  if (type !== 'openai') return [{ providerId: type }];
  const maker = MAKERS.find(([pattern]) => pattern.test(model))?.[1];
  return [
    ...(url === undefined || LOCAL.test(url) ? [] : [{ providerApiUrl: url }]),
    ...(maker === undefined ? [] : [{ providerId: maker }]),
  ];
}

/** Simple prices become rates; those with tiers or hours are left to the library. */
function toRates({ provider, model, model_price: price }: PriceCalculation): Known {
  const { input_mtok: input, output_mtok: output, cache_read_mtok, cache_write_mtok } = price;
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = cache_read_mtok ?? input;
  const cacheWrite = cache_write_mtok ?? input;
  const isSimple =
    !Array.isArray(model.prices) &&
    price['requests_kcount'] === undefined &&
    typeof input === 'number' &&
    typeof cacheRead === 'number' &&
    typeof cacheWrite === 'number';
  if (isSimple && typeof output === 'number') return { input, output, cacheRead, cacheWrite };
  return { provider: { ...provider, models: [model] } };
}

function calculate(
  { calcPrice }: Prices,
  model: string,
  usage: TokenCounts,
  provider: Provider,
): number | null {
  try {
    const result = calcPrice(usage, model, { provider });
    return result === null ? null : dollars(result.total_price);
  } catch {
    // The counts contradict each other.
    return null;
  }
}

/** Rounds off the noise of binary fractions. */
function dollars(amount: number): number {
  return Number(amount.toFixed(10));
}
