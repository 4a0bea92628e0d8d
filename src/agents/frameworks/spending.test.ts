import { expect, test } from 'vitest';
import { addUpSpending, tokenCounts } from './spending.ts';

const usage = { input_tokens: 1000, output_tokens: 100 };

test('nothing was spent without a model', async () => {
  expect(await addUpSpending([])).toEqual({});
});

test('the calls of several models are added', async () => {
  const calls = [
    { provider: 'openai.chat', model: 'gpt-4o-mini', usage },
    { provider: 'anthropic.messages', model: 'claude-3-5-haiku-20241022', usage },
    { model: 'gpt-4o-mini', usage: { ...usage, cache_read_tokens: 500 } },
  ];
  expect(await addUpSpending(calls)).toEqual({
    usage: { input_tokens: 3000, output_tokens: 300 },
    // $0.00021, $0.0012 and $0.0001725.
    cost_usd: 0.001_582_5,
  });
});

test('services are known by the name that frameworks give them', async () => {
  const costs = [
    { provider: 'groq.chat', model: 'llama-3.3-70b-versatile', usage },
    { provider: 'google.generative-ai', model: 'gemini-2.0-flash', usage },
    { provider: 'local.chat', model: 'llama-3.3-70b-versatile', usage },
  ].map(async (call) => (await addUpSpending([call])).cost_usd);
  expect(await Promise.all(costs)).toEqual([0.000_669, 0.000_14, null]);
});

test('what is not known is not made up', async () => {
  const known = { model: 'gpt-4o-mini', usage };
  expect(await addUpSpending([known, { model: 'gpt-4o-mini', usage: undefined }])).toEqual({
    cost_usd: null,
  });
  expect(await addUpSpending([known, { model: 'unheard-of', usage }])).toEqual({
    usage: { input_tokens: 2000, output_tokens: 200 },
    cost_usd: null,
  });
});

test('counts that are defaults are no counts', () => {
  expect(tokenCounts(10, 5, { read: 4, write: 0 })).toEqual({
    input_tokens: 10,
    output_tokens: 5,
    cache_read_tokens: 4,
  });
  expect(tokenCounts(0, 0)).toBeUndefined();
  expect(tokenCounts(undefined, 5)).toBeUndefined();
  expect(tokenCounts(Number.NaN, 5)).toBeUndefined();
});
