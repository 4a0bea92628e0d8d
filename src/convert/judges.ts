// The models that judge: the provider of an assertion in, the id of a connector out.

import { isObject } from '../json/is-object.ts';
import { addConnector } from './providers/model.ts';
import type { ProviderContext } from './providers/provider.ts';

/** promptfoo takes models of OpenAI if nothing else is said. */
const DEFAULT_JUDGE = 'openai:chat:gpt-4.1';
const DEFAULT_EMBEDDER = 'openai:embedding:text-embedding-3-large';

export type Judges = {
  judge(provider: unknown, at: string): string;
  embedder(provider: unknown, at: string): string;
};

export function openJudges(context: ProviderContext): Judges {
  const { losses } = context;
  const find = (provider: unknown, standard: string, at: string): string => {
    const id = isObject(provider) ? provider['id'] : provider;
    const config = isObject(provider) && isObject(provider['config']) ? provider['config'] : {};
    const given = {
      id: typeof id === 'string' ? id : standard,
      label: undefined,
      config,
      prompts: undefined,
      transform: undefined,
      at,
    };
    const added = addConnector(given, context, { isJudge: true });
    if (id === undefined)
      losses.note(
        at,
        'the model that judges',
        `promptfoo chooses one by the keys it finds; here it is ${standard.replace(/^openai:\w+:/, '')}`,
        'change "model" in the connector, or "connector" in the assertions',
      );
    if (added !== undefined) return added.connector;
    losses.missing(
      at,
      `provider: ${typeof id === 'string' ? id : JSON.stringify(provider)}`,
      `no connector reaches this judge; ${standard.replace(/^openai:\w+:/, '')} judges instead`,
      'write a judge as an agent and name it with "use" (docs/assertions.md#agent)',
    );
    return (
      addConnector({ ...given, id: standard, config: {} }, context, { isJudge: true })?.connector ?? standard
    );
  };
  return {
    judge: (provider, at) => find(pick(provider, 'text'), DEFAULT_JUDGE, at),
    embedder: (provider, at) => find(pick(provider, 'embedding'), DEFAULT_EMBEDDER, at),
  };
}

/** `provider: {text: …, embedding: …}` names one for each purpose; one that chats computes no embeddings. */
function pick(provider: unknown, kind: 'text' | 'embedding'): unknown {
  if (isObject(provider) && ('text' in provider || 'embedding' in provider)) return provider[kind];
  const id = isObject(provider) ? provider['id'] : provider;
  return kind === 'embedding' && typeof id === 'string' && !id.includes('embed') ? undefined : provider;
}
