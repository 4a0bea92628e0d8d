import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Usage } from '../../model/agent.ts';
import { contextWith } from '../../model/context.fixture.ts';
import { runModelLoop } from './model-loop.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-loop-'));
afterAll(() => rmSync(root, { recursive: true }));

let fileCount = 0;

/** The usage of a loop whose model calls report these usages in turn. */
async function usageOf(usages: unknown[]): Promise<Usage | undefined> {
  fileCount += 1;
  const file = join(root, `model-${String(fileCount)}.ts`);
  const code = `const usages = ${JSON.stringify(usages)};
    export default () => {
      const usage = usages.shift();
      return usages.length === 0 ? { content: 'done', usage } : { tool_calls: [{ name: 'none' }], usage };
    };`;
  writeFileSync(file, code);
  const options = {
    connector: { id: file, type: 'module' as const, model: 'm', file },
    messages: [{ role: 'user', content: 'hello' }],
    options: {},
    toolbox: undefined,
    tool_loop: true,
    max_turn: 10,
    context: contextWith({}),
  };
  const { signal } = new AbortController();
  const { answer, usage } = await runModelLoop(options, { root, signal, retries: 0, log: () => undefined });
  expect(answer.content).toBe('done');
  return usage;
}

test('a count that one call does not tell is not known of all calls', async () => {
  const both = { input_tokens: 10, output_tokens: 5 };
  expect([
    await usageOf([both, both, both]),
    await usageOf([both, { input_tokens: 1 }, both]),
    await usageOf([both, null, both]),
    await usageOf([{ input_tokens: 1 }, { output_tokens: 1 }]),
  ]).toEqual([{ input_tokens: 30, output_tokens: 15 }, { input_tokens: 21 }, undefined, undefined]);
});
