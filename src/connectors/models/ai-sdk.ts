// Calls models of Anthropic and Google through the AI SDK's providers, loaded on first use.

import type { Connector } from '../../model/connector.ts';
import type { LanguageModel } from './ai-sdk-prompt.ts';
import { askLanguageModel } from './ai-sdk-model.ts';
import type { AskModel } from '../provider.ts';

type Settings = { apiKey: string; baseURL?: string; fetch: typeof fetch };
type Create = (settings: Settings) => (model: string) => LanguageModel;

const models = new WeakMap<Connector, Promise<LanguageModel>>();

export const askAnthropic: AskModel = (connector, request, { signal }) =>
  ask(connector, request, signal, async () => (await import('@ai-sdk/anthropic')).createAnthropic);

export const askGoogle: AskModel = (connector, request, { signal }) =>
  ask(connector, request, signal, async () => (await import('@ai-sdk/google')).createGoogleGenerativeAI);

async function ask(
  connector: Connector,
  request: Parameters<AskModel>[1],
  signal: AbortSignal,
  load: () => Promise<Create>,
): ReturnType<AskModel> {
  let model = models.get(connector);
  if (model === undefined) models.set(connector, (model = open(connector, load)));
  return askLanguageModel(connector, await model, request, signal);
}

async function open(
  { model, key = '', url }: Connector,
  load: () => Promise<Create>,
): Promise<LanguageModel> {
  const create = await load();
  return create({ apiKey: key, baseURL: url, fetch: fetchWithoutRedirects })(model);
}

/** Follows no redirects: the key is only for the connector's URL. */
const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });
