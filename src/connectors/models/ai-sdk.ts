// Models of Anthropic and Google, through the AI SDK's providers, which are loaded when they are first needed.

import type { Connector } from '../../model/connector.ts';
import type { LanguageModel } from './ai-sdk-prompt.ts';
import { askLanguageModel } from './ai-sdk-model.ts';
import type { AskModel } from '../provider.ts';

type Settings = { apiKey: string; baseURL?: string; fetch: typeof fetch };
type Create = (settings: Settings) => (model: string) => LanguageModel;

const models = new WeakMap<Connector, Promise<LanguageModel>>();

/** Asks a model of Anthropic. */
export const askAnthropic: AskModel = (connector, request, { signal }) =>
  ask(connector, request, signal, async () => (await import('@ai-sdk/anthropic')).createAnthropic);

/** Asks a model of Google. */
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
  return create({ apiKey: key, ...(url !== undefined && { baseURL: url }), fetch: fetchHere })(model);
}

/** Follows nobody: the key is for the connector's address only. */
const fetchHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });
