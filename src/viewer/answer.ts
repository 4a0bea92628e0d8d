// Answers on their way out: the same headers on all of them, errors without their insides.

import type { ServerResponse } from 'node:http';
import { ConfigError, messageOf, RuntimeError } from '../errors.ts';
import { StoreError } from '../history/store/store-error.ts';
import { ApiError } from './api-error.ts';

/** What a route gives: JSON, a page, or something that writes by itself as long as somebody listens. */
export type Answer =
  | { json: unknown; status?: number }
  | { html: string; policy: string }
  | { stream: AsyncIterable<string> | ((out: Out) => Promise<void>); type: string; end(): void };

type Out = { send(text: string): Promise<void>; signal: AbortSignal };

const HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Writes an answer; `signal` ends streams when the server does. */
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

/** Whatever was thrown becomes a status and a sentence. */
export function writeError(response: ServerResponse, error: unknown): void {
  // Half an answer cannot become another one: whoever reads it must see that it is not whole.
  if (response.headersSent) return void response.destroy();
  const { status, headers, ...told } = described(error);
  writeJson(response, status, told, headers);
}

function writeJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  // The rest of a request that was refused is not read.
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
  { stream, type, end }: Extract<Answer, { stream: unknown }>,
  closing: AbortSignal,
): Promise<void> {
  const left = new AbortController();
  response.on('close', () => left.abort());
  // It may have gone before anybody listened for that.
  if (response.destroyed) left.abort();
  const signal = AbortSignal.any([left.signal, closing]);
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
    if (!response.destroyed) begin();
    response.end();
  } finally {
    end();
  }
}

/** Kept when there is room for more, or when nobody reads any more. */
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

type Described = {
  status: number;
  error: string;
  hint?: string;
  problems?: ApiError['problems'];
  headers?: Record<string, string>;
};

function described(error: unknown): Described {
  const hinted = (hint: string | undefined): { hint?: string } => (hint === undefined ? {} : { hint });
  if (error instanceof ApiError) {
    const { status, message, hint, problems, headers } = error;
    return { status, error: message, ...hinted(hint), ...(problems !== undefined && { problems }), headers };
  }
  if (error instanceof ConfigError) {
    const { problems } = error;
    return { status: 400, error: error.message, ...hinted(problems[0]?.hint), problems };
  }
  if (error instanceof StoreError) {
    const isPassing = ['behind', 'locked', 'lost'].includes(error.reason);
    return { status: isPassing ? 503 : 500, error: error.message, ...hinted(error.hint) };
  }
  return {
    status: 500,
    error: messageOf(error),
    ...hinted(error instanceof RuntimeError ? error.hint : undefined),
  };
}
