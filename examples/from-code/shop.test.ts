// npx vitest run

import { evaluate } from 'assay';
import { describeEval } from 'assay/vitest';
import { expect, test } from 'vitest';
import { shopAgent } from './agent.ts';

// One test for every case of the file.
describeEval('shop', { agent: shopAgent, cases: new URL('cases.jsonl', import.meta.url).pathname });

test('a case in code', async () => {
  await expect(shopAgent).toPassCase({ input: 'a cake', assert: { type: 'contains', value: '5 euros' } });
});

test('at least nine of ten runs pass', async () => {
  const cases = [{ id: 'tea', input: 'tea', assert: { type: 'regex', value: '\\d euros' } }];
  const run = await evaluate({ agent: shopAgent, cases, runs: 10, isolation: 'none' });
  expect(run).toPassAtLeast(0.9);
});

test('the tools that an answer called', async () => {
  const answer = await shopAgent([{ role: 'user', content: 'tea and cake' }]);
  await expect(answer).toCallTool('price', { item: 'cake' });
  await expect(answer).not.toCallTool('refund');
  await expect(answer).toMatchTrajectory(['price', 'price'], { arguments: 'ignore' });
});
