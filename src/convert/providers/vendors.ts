// Services with models: how promptfoo names them, and how a connector reaches them.

import type { ConnectorType } from '../../model/connector.ts';

type Vendor = {
  type: Exclude<ConnectorType, 'module'>;
  /** The environment variable of the key; none for local services. */
  key?: string;
  /** The address; that of the provider itself if missing. */
  host?: string;
  /** Words between the vendor and the model, as in `openai:chat:gpt-4o`. */
  forms?: readonly string[];
};

export const VENDORS: Record<string, Vendor> = {
  anthropic: { type: 'anthropic', key: 'ANTHROPIC_API_KEY', forms: ['messages'] },
  azure: { type: 'openai', key: 'AZURE_API_KEY', forms: ['chat'] },
  azureopenai: { type: 'openai', key: 'AZURE_API_KEY', forms: ['chat'] },
  cerebras: { type: 'openai', key: 'CEREBRAS_API_KEY', host: 'https://api.cerebras.ai/v1' },
  deepseek: { type: 'openai', key: 'DEEPSEEK_API_KEY', host: 'https://api.deepseek.com' },
  fireworks: { type: 'openai', key: 'FIREWORKS_API_KEY', host: 'https://api.fireworks.ai/inference/v1' },
  github: { type: 'openai', key: 'GITHUB_TOKEN', host: 'https://models.github.ai/inference/' },
  google: { type: 'google', key: 'GOOGLE_API_KEY' },
  groq: { type: 'openai', key: 'GROQ_API_KEY', host: 'https://api.groq.com/openai/v1' },
  hyperbolic: { type: 'openai', key: 'HYPERBOLIC_API_KEY', host: 'https://api.hyperbolic.xyz/v1' },
  litellm: { type: 'openai', key: 'LITELLM_API_KEY', host: 'http://127.0.0.1:4000', forms: ['chat'] },
  llamafile: { type: 'openai', host: 'http://127.0.0.1:8080', forms: ['chat'] },
  localai: { type: 'openai', host: 'http://127.0.0.1:8080', forms: ['chat'] },
  mistral: { type: 'openai', key: 'MISTRAL_API_KEY', host: 'https://api.mistral.ai/v1' },
  ollama: {
    type: 'openai',
    host: 'http://127.0.0.1:11434',
    forms: ['chat', 'completion', 'embedding', 'embeddings'],
  },
  openai: { type: 'openai', key: 'OPENAI_API_KEY', forms: ['chat', 'embedding', 'embeddings', 'responses'] },
  openrouter: { type: 'openai', key: 'OPENROUTER_API_KEY', host: 'https://openrouter.ai/api/v1' },
  perplexity: { type: 'openai', key: 'PERPLEXITY_API_KEY', host: 'https://api.perplexity.ai/' },
  together: { type: 'openai', key: 'TOGETHER_API_KEY', host: 'https://api.together.xyz/v1' },
  togetherai: { type: 'openai', key: 'TOGETHER_API_KEY', host: 'https://api.together.xyz/v1' },
  vllm: { type: 'openai', host: 'http://127.0.0.1:8000', forms: ['chat'] },
  xai: { type: 'openai', key: 'XAI_API_KEY', host: 'https://api.x.ai/v1' },
};

/** What `vendor:form:model` says; undefined if no connector can reach it. */
export function readModelId(
  id: string,
): { vendor: string; form: string | undefined; model: string } | undefined {
  const [vendor = '', ...rest] = id.split(':');
  const found = Object.hasOwn(VENDORS, vendor) ? VENDORS[vendor] : undefined;
  if (found === undefined) return undefined;
  const form = rest.length > 1 && found.forms?.includes(rest[0] ?? '') === true ? rest.shift() : undefined;
  const model = rest.join(':');
  // Other forms are other services: embeddings, images, assistants.
  const isOther =
    /^(?:assistant|agents|codex|completion|image|video|moderation|realtime|speech|transcription|chatkit|live|claude-agent-sdk|claude-code)(?::|-sdk|-app|$)/.test(
      model,
    );
  return model === '' || isOther ? undefined : { vendor, form, model };
}
