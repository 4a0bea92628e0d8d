// What the tests of assistants share: a model on loopback and a folder with an assistant that asks it.

import { onTestFinished } from 'vitest';
import type { ModelAnswer, ModelRequest, ModelServer } from '../../servers/model-server.ts';
import { startModelServer } from '../../servers/model-server.ts';
import { assay } from './assay.ts';
import type { Finished } from './assay.ts';

/** Starts a model that is gone after the test. */
export async function modelServer(
  answer: (request: ModelRequest, count: number) => ModelAnswer | string,
): Promise<ModelServer> {
  const server = await startModelServer({ answer });
  onTestFinished(() => server.close());
  return server;
}

export const openai = (url: string, options = {}): unknown => ({
  type: 'openai',
  options: { model: 'gpt-4o', key: '$ENV.SHOP_KEY', host: url, ...options },
});

/** An assistant `chat` with one prompt, on a connector `small`. */
export const chat = (connector: unknown, cases: unknown[]): Record<string, unknown> => ({
  'assistants/chat/package.yao': { connector: 'small', options: { temperature: 0 } },
  'assistants/chat/prompts.yml': '- role: system\n  content: Be brief with $CTX.USER_ID.\n',
  'assistants/chat/tests/inputs.jsonl': cases,
  'connectors/small.conn.yao': connector,
});

export const INPUT = 'assistants/chat/tests/inputs.jsonl';
export const env = { SHOP_KEY: 'sk-very-secret-1' };
export const run = (cwd: string, ...args: string[]): Promise<Finished> =>
  assay(['test', '-i', INPUT, '-o', 'log.jsonl', ...args], { cwd, env });

export const lastOf = ({ body }: ModelRequest): string => {
  const messages = body['messages'] as { content: string }[];
  return messages.at(-1)?.content ?? '';
};
