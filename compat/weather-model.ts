// A local model for all agents here. Its answer depends on the last message of the user.

import type { ModelAnswer, ModelRequest, ModelServer } from '../test/servers/model-server.ts';
import { startModelServer } from '../test/servers/model-server.ts';

type WireMessage = { role: string; content: unknown };

/** Starts the model; `latency_ms` is how long every answer takes. */
export function startWeatherModel(options: { latency_ms?: number } = {}): Promise<ModelServer> {
  return startModelServer({ ...options, answer });
}

/** The messages of every request with this last user message. */
export function messagesAfter({ requests }: ModelServer, text: string): unknown[] {
  return requests
    .map(({ body }) => body['messages'] as WireMessage[])
    .filter((messages) => textOf(messages.findLast(({ role }) => role === 'user')?.content) === text);
}

function answer({ body }: ModelRequest): ModelAnswer {
  // Every request here is a chat completion.
  const messages = body['messages'] as WireMessage[];
  const asked = textOf(messages.findLast(({ role }) => role === 'user')?.content);
  const status = Number(/refuse with (\d+)/.exec(asked)?.[1] ?? 200);
  // The header keeps clients from waiting seconds before they retry.
  if (status !== 200) return { status, text: 'not today', headers: { 'retry-after-ms': '1' } };
  if (asked.includes('never answer')) return { hang: true };
  const cities = [...asked.matchAll(/in ([A-Z]\w+)/g)].map(([, city]) => city ?? '');
  const heard = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const results = heard.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
  const missing = asked.includes('one by one') ? cities.slice(results.length).slice(0, 1) : cities;
  if (missing.length > 0 && (results.length === 0 || asked.includes('one by one'))) {
    const calls = missing.map((city) => ({ id: `call_${city}`, name: 'weather', arguments: { city } }));
    return { tool_calls: calls, usage: { input: 100, output: 20 } };
  }
  const text = results.length === 0 ? `You said: ${asked}` : `I heard: ${results.join(' ')}`;
  return { text, usage: { input: 200, output: 10 } };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: string }) => part.text ?? '').join('');
}
