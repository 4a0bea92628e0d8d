// Texts come in, their vectors go out.

import type { Connector } from '../model/connector.ts';
import { isObject } from '../platform/is-object.ts';
import type { ChatDeps } from './chat.ts';
import { excerpt, modelError, sentError, statusError } from './failure.ts';
import { post, postTarget, readBody } from './http-post.ts';
import { withPatience } from './patience.ts';

/** Vectors are long: 2,000 of 3,000 numbers each are about this much JSON. */
const LIMIT = 200 * 1024 * 1024;

/** The vectors of texts, in their order. Failures are thrown as AttemptError. */
export async function embed(connector: Connector, texts: string[], deps: ChatDeps): Promise<number[][]> {
  if (connector.type !== 'openai') {
    const text = `connectors of type ${connector.type} have no embeddings; name one of type openai`;
    throw modelError(connector, 'harness', text, { isFinal: true });
  }
  if (texts.length === 0) return [];
  const target = postTarget(connector, 'embeddings');
  const extra = connector.options?.['extra_body'];
  const body = JSON.stringify({ model: connector.model, input: texts, ...(isObject(extra) && extra) });
  return withPatience(connector, deps, () =>
    post<number[][]>(connector, target, body, deps.signal, (status, headers, reply) =>
      readBody(LIMIT, (text, isWhole) => {
        try {
          if (status < 200 || status > 299) throw statusError(connector, status, headers, text);
          if (!isWhole) throw modelError(connector, 'connection', 'the answer was cut off');
          reply.resolve(readVectors(connector, text, texts.length));
        } catch (error) {
          reply.reject(error);
        }
      }),
    ),
  );
}

function readVectors(connector: Connector, text: string, count: number): number[][] {
  const answer = parse(connector, text);
  if (isObject(answer) && isObject(answer['error'])) throw sentError(connector, answer['error']);
  const data = isObject(answer) && Array.isArray(answer['data']) ? answer['data'].filter(isObject) : [];
  const vectors: number[][] = [];
  for (const [position, { index = position, embedding }] of data.entries()) {
    if (typeof index === 'number' && Array.isArray(embedding)) vectors[index] = embedding.map(Number);
  }
  if (vectors.length === count && Object.keys(vectors).length === count) return vectors;
  throw modelError(connector, 'protocol', `expected ${String(count)} embeddings: ${excerpt(text)}`);
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
