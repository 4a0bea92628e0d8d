// The examples that `assay init` writes for frameworks pass without a key and without a network.

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, logIn, readLog } from '../test/e2e/support/assay.ts';

const QUIET = { MASTRA_TELEMETRY_DISABLED: '1', OPENAI_AGENTS_DISABLE_TRACING: '1' };

test.each([
  { type: 'ai-sdk', dependencies: { ai: '^6.0.0' }, installed: 'ai' },
  { type: 'ai-sdk', dependencies: { ai: '^5.0.0' }, installed: 'ai-v5' },
  { type: 'mastra', dependencies: { '@mastra/core': '^1.0.0', ai: '^6.0.0' } },
  { type: 'langgraph', dependencies: { '@langchain/langgraph': '^1.0.0' } },
  { type: 'openai-agents', dependencies: { '@openai/agents': '*' } },
])('$type with $dependencies', async ({ type, dependencies, installed = 'ai' }) => {
  const cwd = folder({ 'package.json': { dependencies } });
  symlinkSync(resolve('compat/node_modules'), join(cwd, 'node_modules'));
  const { exitCode, stdout } = await assay(['init', '--json'], { cwd });
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { agent: type, name: './agent.ts' }]);

  // Version 5 is installed under another name here.
  const agent = join(cwd, 'agent.ts');
  writeFileSync(agent, readFileSync(agent, 'utf8').replace("from 'ai'", `from '${installed}'`));

  const tested = await assay(['test'], { cwd, env: QUIET });
  expect(readLog(logIn(cwd)).results.map(({ id, status }) => [id, status])).toEqual([
    ['refund', 'passed'],
    ['opening-hours', 'passed'],
  ]);
  expect(tested.exitCode).toBe(0);
});
