// Computes the embeddings of texts.

import type { Connector } from '../model/connector.ts';
import type { Spending } from '../model/spending.ts';
import { toUsage } from '../model/spending.ts';
import { isObject } from '../json/is-object.ts';
import type { ChatDeps } from './chat.ts';
import { excerpt } from '../text/excerpt.ts';
import { modelError, sentError, statusError } from './failure.ts';
import { post, postTarget, readBody } from './http/http-post.ts';
import { withRetry } from './retry.ts';
import { callCost } from './price.ts';

/** About 2,000 vectors of 3,000 numbers as JSON. */
const LIMIT = 200 * 1024 * 1024;

export type Embeddings = Spending & { vectors: number[][] };

/** Returns the vectors in the order of the texts, usage and cost. Throws failures as AttemptError. */
export async function embed(connector: Connector, texts: string[], deps: ChatDeps): Promise<Embeddings> {
  if (connector.type !== 'openai') {
    const text = `connectors of type ${connector.type} have no embeddings; name one of type openai`;
    throw modelError(connector, 'harness', text, { isFinal: true });
  }
  if (texts.length === 0) return { vectors: [] };
  const target = postTarget(connector, 'embeddings');
  const extra = connector.options?.['extra_body'];
  const body = JSON.stringify({ model: connector.model, input: texts, ...(isObject(extra) && extra) });
  const { vectors, usage } = await withRetry(connector, deps, () =>
    post<Omit<Embeddings, 'cost_usd'>>(connector, target, body, deps.signal, (status, headers, reply) =>
      readBody(LIMIT, (text, isWhole) => {
        try {
          if (status < 200 || status > 299) throw statusError(connector, status, headers, text);
          if (!isWhole) throw modelError(connector, 'connection', 'the answer was cut off');
          reply.resolve(readEmbeddings(connector, text, texts.length));
        } catch (error) {
          reply.reject(error);
        }
      }),
    ),
  );
  if (usage === undefined) return { vectors, cost_usd: null };
  // Embedding models have no output tokens.
  return { vectors, usage, cost_usd: await callCost(connector, { output_tokens: 0, ...usage }) };
}

function readEmbeddings(connector: Connector, text: string, count: number): Omit<Embeddings, 'cost_usd'> {
  const answer = parse(connector, text);
  const error = isObject(answer) ? answer['error'] : undefined;
  if (isObject(error) || (typeof error === 'string' && error !== '')) throw sentError(connector, error);
  const data = isObject(answer) && Array.isArray(answer['data']) ? answer['data'].filter(isObject) : [];
  const vectors: number[][] = [];
  for (const [position, { index = position, embedding }] of data.entries()) {
    if (typeof index === 'number' && isVector(embedding)) vectors[index] = embedding;
  }
  const usage = isObject(answer) ? toUsage(answer['usage']) : undefined;
  if (vectors.length === count && Object.keys(vectors).length === count) return { vectors, usage };
  throw modelError(connector, 'protocol', `expected ${String(count)} embeddings: ${excerpt(text)}`);
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isFinite(item));
}

function parse(connector: Connector, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw modelError(connector, 'protocol', `answered something that is not JSON: ${excerpt(text)}`, {
      cause,
    });
  }
}
