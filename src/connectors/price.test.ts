import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Connector } from '../model/connector.ts';
import { callCost, PRICE_TABLE } from './price.ts';

const usage = { input_tokens: 1000, output_tokens: 100 };
const openai = (model: string, given: Partial<Connector> = {}): Connector => ({
  id: 'a.b',
  type: 'openai',
  model,
  url: 'https://api.openai.com/v1',
  ...given,
});

test.each<[string, Connector, number | null]>([
  ['by its provider', openai('gpt-4o'), 0.0035],
  ['of a dated version', openai('gpt-4.1-2025-04-14'), 0.0028],
  ['by an address', openai('llama-3.3-70b-versatile', { url: 'https://api.groq.com/openai/v1' }), 0.000669],
  ['through a gateway', openai('gpt-4o', { url: 'https://gateway.test/v1' }), 0.0035],
  ['of Anthropic', { id: 'a.b', type: 'anthropic', model: 'claude-sonnet-4-20250514' }, 0.0045],
  ['of Google', { id: 'a.b', type: 'google', model: 'gemini-2.5-flash' }, 0.00055],
  ['of a model nobody knows', openai('gpt-nonsense'), null],
  ['of a model that anybody may serve', openai('gpt-oss-20b', { url: 'http://localhost:1/v1' }), null],
  ['of a model at an unknown place', openai('llama3.2', { url: 'http://localhost:1/v1' }), null],
  ['of a module', { id: 'a.b', type: 'module', model: 'gpt-4o' }, null],
  ['of its own', openai('gpt-4o', { price: { input: 3, output: 20 } }), 0.005],
  [
    'of its own for a module',
    { id: 'a', type: 'module', model: 'a', price: { input: 0, output: 1 } },
    0.0001,
  ],
])('the price %s', async (_which, connector, expected) => {
  expect(await callCost(connector, usage)).toBe(expected);
  expect(await callCost(connector, usage)).toBe(expected);
});

test('tokens from the cache cost less', async () => {
  expect(await callCost(openai('gpt-4o'), { ...usage, cache_read_tokens: 800 })).toBe(0.0025);
});

test('prices with steps are left to the table', async () => {
  const gemini: Connector = { id: 'a.b', type: 'google', model: 'gemini-2.5-pro' };
  const small = await callCost(gemini, { input_tokens: 100_000, output_tokens: 0 });
  const large = await callCost(gemini, { input_tokens: 1_000_000, output_tokens: 0 });
  expect([small, large]).toEqual([0.125, 2.5]);
});

test('without token counts nothing is known', async () => {
  expect(await callCost(openai('gpt-4o'), undefined)).toBeNull();
  expect(await callCost(openai('gpt-4o'), { input_tokens: 10 })).toBeNull();
});

test('the table is the installed one', () => {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const manifest = readFileSync(join(dirname(entry), '../package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  const { date, ...table } = PRICE_TABLE;
  expect(table).toEqual({ name, version });
  // Readers of the documentation learn how old the prices are.
  expect(readFileSync('docs/assistants.md', 'utf8')).toContain(`as of ${date}`);
});
