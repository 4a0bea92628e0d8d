// What a call cost, as far as that is known: an unknown price is null and never 0.

import type { PriceCalculation, Provider } from '@pydantic/genai-prices';
import type { Connector } from '../model/connector.ts';
import type { TokenCounts } from './provider.ts';

/** The table of prices that is bundled, and the day it was published; it is never fetched anew. */
export const PRICE_TABLE = { name: '@pydantic/genai-prices', version: '0.1.8', date: '2026-09-23' };

type Prices = typeof import('@pydantic/genai-prices');
type Rates = { input: number; output: number; cacheRead: number; cacheWrite: number };
/** A price: simple rates, a model whose price depends on the call, or nothing. */
type Known = Rates | { provider: Provider } | undefined;

const MILLION = 1_000_000;

/** Models that only their maker serves, so that an unknown address is a gateway to it. */
const MAKERS: [pattern: RegExp, provider: string][] = [
  [/^(?:gpt-(?!oss)|o\d|chatgpt-)/, 'openai'],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'google'],
];

const LOCAL = /^https?:\/\/(?:[^@/]*@)?(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:\/|$)/i;

let table: Promise<Prices> | undefined;
const known = new Map<string, Known | Promise<Known>>();

/** Looks a price up while the model is answering, so that nobody waits for it afterwards. */
export function preparePrice(connector: Connector): void {
  if (connector.price === undefined && connector.type !== 'module') void priceOf(connector);
}

/** The price of a call in US dollars; null without token counts or without a price. A promise only until it is known. */
export function costOf(
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
  const found = priceOf(connector);
  return found instanceof Promise
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

function priceOf(connector: Connector): Known | Promise<Known> {
  const name = `${connector.type}\0${connector.url ?? ''}\0${connector.model}`;
  if (known.has(name)) return known.get(name);
  const remember = (price: Known): Known => {
    known.set(name, price);
    return price;
  };
  const places = placesOf(connector);
  if (places.length === 0) return remember(undefined);
  // A table that cannot be read knows no prices; the answer is worth more than its price.
  const looking = look(connector, places).then(remember, () => remember(undefined));
  known.set(name, looking);
  return looking;
}

type PricePlace = { providerId?: string; providerApiUrl?: string };

async function look(connector: Connector, places: readonly PricePlace[]): Promise<Known> {
  const { calcPrice } = await loadTable();
  const usage = { input_tokens: 1, output_tokens: 1 };
  let found: PriceCalculation | null = null;
  for (const place of places) found ??= calcPrice(usage, connector.model, place);
  return found === null ? undefined : ratesOf(found);
}

function loadTable(): Promise<Prices> {
  return (table ??= import('@pydantic/genai-prices'));
}

/** Where a price may be found; nowhere for a model on this machine, for which the table need not be loaded. */
function placesOf({ type, url, model }: Connector): PricePlace[] {
  if (type !== 'openai') return [{ providerId: type }];
  const maker = MAKERS.find(([pattern]) => pattern.test(model))?.[1];
  return [
    ...(url === undefined || LOCAL.test(url) ? [] : [{ providerApiUrl: url }]),
    ...(maker === undefined ? [] : [{ providerId: maker }]),
  ];
}

/** Most prices are two to four numbers; those with steps or hours are left to the library. */
function ratesOf({ provider, model, model_price: price }: PriceCalculation): Known {
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
    // Counts that contradict each other have no price.
    return null;
  }
}

/** Without the noise of binary fractions. */
function dollars(amount: number): number {
  return Number(amount.toFixed(10));
}
