// Shared by agents behind a URL: credentials, redirects, network errors, statuses and timeouts.

import { AttemptError, messageOf } from '../../errors.ts';
import { extractBasicAuth } from '../../secrets/basic-auth.ts';
import { readText } from './http-body.ts';
import { raceSignal } from '../../platform/race.ts';
import { readRetryAfter } from '../../platform/retry-after.ts';
import { excerpt } from '../../text/excerpt.ts';

/** Moves credentials from the URL, where `fetch` refuses them, to a header that the definition may replace. */
export function splitCredentials(address: string): { url: URL; headers: Headers } {
  const url = new URL(address);
  const headers = new Headers();
  const credentials = extractBasicAuth(url);
  if (credentials !== undefined) headers.set('authorization', credentials);
  return { url, headers };
}

const MAX_REDIRECTS = 20;

/**
 * Fetches and follows redirects itself, so that the user's headers go only to the configured origin: `fetch` would drop
 * only the credential headers that it knows.
 */
export async function fetchFrom(
  fetch: typeof globalThis.fetch,
  address: string,
  init: RequestInit,
  own: Headers,
): Promise<Response> {
  const { origin } = new URL(address);
  let url = address;
  let request: RequestInit = { ...init, redirect: 'manual' };
  for (let count = 0; ; count += 1) {
    const response = await fetch(url, request);
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    if (count === MAX_REDIRECTS)
      throw new TypeError('fetch failed', { cause: new Error('too many redirects') });
    url = new URL(location, url).href;
    await response.body?.cancel();
    const headers = new Headers(request.headers);
    if (new URL(url).origin !== origin) for (const [name] of own) headers.delete(name);
    const isGet = response.status === 303 || (response.status < 303 && request.method === 'POST');
    const { body: _body, ...bodiless } = request;
    if (isGet) headers.delete('content-type');
    request = isGet ? { ...bodiless, method: 'GET', headers } : { ...request, headers };
  }
}

/** The failure of a request without a response. */
export function unreachable(where: string, error: unknown): AttemptError {
  return new AttemptError('connection', `${where}: ${networkError(error)}`, { cause: error });
}

function networkError(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const words = code === undefined ? undefined : REASONS[code];
  if (words !== undefined) return `${words} (${String(code)})`;
  const detail = cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
  return code === undefined || detail.includes(code) ? detail : `${detail} (${code})`;
}

const REASONS: Record<string, string> = {
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 seconds',
  UND_ERR_SOCKET: 'the other side closed the connection',
};

/** How long the body of a refusal is read: the status alone decides. */
const REFUSAL_MS = 1000;

/** The failure of a response whose status is not 2xx. */
export async function refusal(response: Response, where: string): Promise<AttemptError> {
  // The body is only an excerpt in the message: failing to read it does not matter.
  const body = await raceSignal(readText(response, where), AbortSignal.timeout(REFUSAL_MS)).catch(() => '');
  return statusFailure(response, body, where);
}

/** The failure of a response whose body is read. */
export function statusFailure(
  { status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>,
  body: string,
  where: string,
): AttemptError {
  const message = `${where} answered ${String(status)}${statusText === '' ? '' : ` ${statusText}`}: ${excerpt(body)}`;
  const options = { retryAfterMs: readRetryAfter(Object.fromEntries(headers)) };
  if (status === 429) return new AttemptError('rate_limit', message, options);
  if (status === 401 || status === 403) return new AttemptError('auth', message);
  if (status === 502 || status === 503 || status === 504)
    return new AttemptError('connection', message, options);
  if (status >= 500) return new AttemptError('agent', message);
  // A retry can help after 408 (timeout) and 425 (too early) only.
  return new AttemptError('protocol', message, { isFinal: status !== 408 && status !== 425 });
}

let dispatcherOptions: object | undefined;

/**
 * Request options without Node's timeout of 5 minutes: the deadline of the attempt limits the time instead.
 * The default dispatcher is available only under a well-known symbol; without it, Node's timeout stays.
 */
export function withoutTimeouts(): object {
  if (dispatcherOptions !== undefined) return dispatcherOptions;
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (typeof dispatcher !== 'object' || dispatcher === null) return {};
  if (dispatcher.constructor.name !== 'Agent') return {};
  // undici's Agent class, which takes these options.
  const Agent = dispatcher.constructor as new (options: object) => object;
  dispatcherOptions = { dispatcher: new Agent({ headersTimeout: 0, bodyTimeout: 0 }) };
  return dispatcherOptions;
}
