// Writes answers: all with the same headers, errors without internal details.

import type { ServerResponse } from 'node:http';
import { ConfigError, messageOf, RuntimeError } from '../errors.ts';
import { StoreError } from '../history/store/store-error.ts';
import { ApiError } from './api-error.ts';
import type { StreamPlace } from './stream-limit.ts';

/** The answer of a route: JSON, a page, or a stream. */
export type Answer = { json: unknown; status?: number } | { html: string; policy: string } | Stream;

type Stream = {
  stream: AsyncIterable<string> | ((out: Out) => Promise<void>);
  type: string;
  place: StreamPlace;
  /** The last words if a newer stream takes its place; without them, the connection breaks. */
  farewell?: string;
};

type Out = { send(text: string): Promise<void>; signal: AbortSignal };

const HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Writes an answer; `signal` ends streams when the server closes. */
export async function writeAnswer(
  response: ServerResponse,
  answer: Answer,
  { signal, isHead }: { signal: AbortSignal; isHead: boolean },
): Promise<void> {
  if ('json' in answer) return writeJson(response, answer.status ?? 200, answer.json);
  if ('html' in answer) {
    response.writeHead(200, {
      ...HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${answer.policy}; frame-ancestors 'none'`,
    });
    response.end(isHead ? undefined : answer.html);
    return;
  }
  await writeStream(response, answer, signal);
}

/** Turns any thrown value into a status and a message. */
export function writeError(response: ServerResponse, error: unknown): void {
  // Part of the answer is sent already: break the connection, so that the client sees that it is incomplete.
  if (response.headersSent) return void response.destroy();
  const { status, headers, ...body } = describeError(error);
  writeJson(response, status, body, headers);
}

function writeJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  // Do not read the rest of a rejected request.
  const close = status >= 400 && !response.req.complete ? { Connection: 'close' } : {};
  response.writeHead(status, {
    ...HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    ...close,
    ...headers,
  });
  response.end(JSON.stringify(value));
}

async function writeStream(
  response: ServerResponse,
  { stream, type, place, farewell }: Stream,
  closing: AbortSignal,
): Promise<void> {
  const disconnected = new AbortController();
  response.on('close', () => disconnected.abort());
  // The client may have left before the listener was added.
  if (response.destroyed) disconnected.abort();
  const signal = AbortSignal.any([disconnected.signal, closing, place.signal]);
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(200, { ...HEADERS, 'Content-Type': type });
  };
  const send = async (text: string): Promise<void> => {
    if (signal.aborted) return;
    begin();
    if (!response.write(text)) await drained(response, signal);
  };
  try {
    if (typeof stream === 'function') await stream({ send, signal });
    else
      for await (const text of stream) {
        if (signal.aborted) break;
        await send(text);
      }
    // The client must not take a part for the whole.
    if (signal.aborted && farewell === undefined) return void response.destroy();
    if (!response.destroyed) begin();
    response.end(place.signal.aborted ? farewell : undefined);
  } finally {
    place.leave();
  }
}

/** Resolves when there is room for more, or when the client has left. */
function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const go = (): void => {
      response.off('drain', go);
      signal.removeEventListener('abort', go);
      done();
    };
    response.on('drain', go);
    signal.addEventListener('abort', go);
    if (signal.aborted) go();
  });
}

type ErrorAnswer = {
  status: number;
  error: string;
  hint?: string;
  problems?: ApiError['problems'];
  headers?: Record<string, string>;
};

function describeError(error: unknown): ErrorAnswer {
  if (error instanceof ApiError) {
    const { status, message, hint, problems, headers } = error;
    return { status, error: message, hint, problems, headers };
  }
  if (error instanceof ConfigError) {
    const { problems } = error;
    return { status: 400, error: error.message, hint: problems[0]?.hint, problems };
  }
  if (error instanceof StoreError) {
    const isTransient = ['behind', 'locked', 'lost'].includes(error.reason);
    return { status: isTransient ? 503 : 500, error: error.message, hint: error.hint };
  }
  return {
    status: 500,
    error: messageOf(error),
    hint: error instanceof RuntimeError ? error.hint : undefined,
  };
}
