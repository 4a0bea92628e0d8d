// node --test shop.node.mjs

import { evaluate } from 'assay';
import { assertCallsTool, assertPassesAtLeast, describeEval } from 'assay/node-test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const agent = fileURLToPath(new URL('agent.ts', import.meta.url));
const cases = fileURLToPath(new URL('cases.jsonl', import.meta.url));

// One test for every case of the file; the agent runs in a process of its own.
describeEval('shop', { agent, cases, parallel: 3 });

test('at least nine of ten runs pass, with the right tool', async () => {
  const run = await evaluate({ agent, cases, run: '^tea$', runs: 10 });
  assertPassesAtLeast(run, 0.9);
  await assertCallsTool(run, 'price', { item: 'tea' });
});
