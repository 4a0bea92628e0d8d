import { expect, test } from 'vitest';
import type { Spending } from '../../model/spending.ts';
import { spendingText } from './spending-text.ts';

test.each([
  [{}, undefined],
  [{ cost_usd: null }, undefined],
  [
    { usage: { input_tokens: 12_345, output_tokens: 6 }, cost_usd: 0.000_123_4 },
    '12,345 tokens in, 6 out, $0.000123',
  ],
  [{ usage: { output_tokens: 6 }, cost_usd: null }, '6 out, price not known'],
  [{ cost_usd: 12.345 }, '$12.35'],
  [{ cost_usd: 0 }, '$0.00'],
  // Logs of older versions.
  [
    JSON.parse('{"usage":{"input_tokens":null,"output_tokens":6},"cost_usd":null}') as Spending,
    '6 out, price not known',
  ],
  [JSON.parse('{"usage":{"input_tokens":null,"output_tokens":null}}') as Spending, undefined],
  [JSON.parse('{"usage":null,"cost_usd":1}') as Spending, '$1.00'],
])('%j', (spending, text) => {
  expect(spendingText(spending)).toBe(text);
});
