// Runs the built program on an agent in this folder and reads its output.

import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ResultEvent } from '../src/model/event.ts';
import { assay, folder, readLog } from '../test/e2e/support/assay.ts';
import type { ModelServer } from '../test/servers/model-server.ts';
import { startWeatherModel } from './weather-model.ts';

/** The agents talk only to the local model. */
const QUIET = { MASTRA_TELEMETRY_DISABLED: '1', OPENAI_AGENTS_DISABLE_TRACING: '1' };

export type Ran = { exitCode: number | null; stdout: string; results: Record<string, ResultEvent> };

export type RunAgentOptions = {
  /** The address of the model. */
  url: string;
  flags?: string[];
  cwd?: string;
};

/** Runs `assay test` on these cases; results are found by the id of their case. */
export async function runAgent(agent: string, cases: object[], options: RunAgentOptions): Promise<Ran> {
  const { url, flags = [], cwd = folder() } = options;
  const input = cases.map((testCase) => `${JSON.stringify(testCase)}\n`).join('');
  const { exitCode, stdout, stderr } = await assay(
    ['test', '-i', '-', '-n', agent, '-o', 'log.jsonl', '--retries', '0', '--no-history', ...flags],
    { cwd, input, env: { ...QUIET, MODEL_URL: `${url}/v1` } },
  );
  if (exitCode === 2) throw new Error(stderr);
  const { results } = readLog(join(cwd, 'log.jsonl'));
  return { exitCode, stdout, results: Object.fromEntries(results.map((result) => [result.id, result])) };
}

/** A model for one test. */
export async function model(options: { latency_ms?: number } = {}): Promise<ModelServer> {
  const server = await startWeatherModel(options);
  onTestFinished(() => server.close());
  return server;
}

/** The file of an agent. */
export function agentFile(name: string): string {
  return resolve('compat/agents', `${name}.ts`);
}

/** The part of a result that describes the agent, not the run. */
export function transcriptOf({ output, tool_calls, messages, usage, cost_usd }: Partial<ResultEvent> = {}) {
  return { output, tool_calls, messages, usage, cost_usd };
}
