import { expect, test } from 'vitest';
import type { Usage } from './agent.ts';
import type { Spending } from './spending.ts';
import { addCalls, addSpending } from './spending.ts';

const both = { input_tokens: 10, output_tokens: 5 };

test.each<[Usage | undefined, Usage | undefined, Usage | undefined]>([
  [both, both, { input_tokens: 20, output_tokens: 10 }],
  [both, { input_tokens: 1 }, { input_tokens: 11 }],
  [{ output_tokens: 1 }, both, { output_tokens: 6 }],
  [{ output_tokens: 1 }, { input_tokens: 1 }, undefined],
  [both, undefined, undefined],
  [undefined, both, undefined],
])('calls that took %j and %j took %j together', (first, second, sum) => {
  expect(addCalls(first, second)).toEqual(sum);
});

test.each<[Spending, Spending, Spending]>([
  [
    { usage: both, cost_usd: 1 },
    { usage: { input_tokens: 1 }, cost_usd: 2 },
    { usage: { input_tokens: 11, output_tokens: 5 }, cost_usd: 3 },
  ],
  [{ usage: both }, {}, { usage: both }],
  [{}, {}, {}],
  [{ cost_usd: null }, { cost_usd: 1 }, { cost_usd: null }],
  // Logs of older versions.
  [
    JSON.parse('{"usage":{"input_tokens":null,"output_tokens":null}}') as Spending,
    JSON.parse('{"usage":{"input_tokens":null,"output_tokens":5}}') as Spending,
    { usage: { output_tokens: 5 } },
  ],
])('attempts that took %j and %j took %j that is known of', (first, second, sum) => {
  expect(addSpending(first, second)).toEqual(sum);
});
