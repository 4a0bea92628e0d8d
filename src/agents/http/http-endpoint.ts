// What every agent behind an address has in common: credentials, reasons of the network, refusals, patience.

import { AttemptError, messageOf } from '../../errors.ts';
import { extractBasicAuth } from '../../secrets/basic-auth.ts';
import { readText } from './http-answer.ts';
import { readRetryAfter } from '../../platform/retry-after.ts';
import { excerpt } from '../../text/excerpt.ts';

/** The address without its credentials, which `fetch` refuses; they become a header that the definition may replace. */
export function splitCredentials(address: string): { url: URL; headers: Headers } {
  const url = new URL(address);
  const headers = new Headers();
  const credentials = extractBasicAuth(url);
  if (credentials !== undefined) headers.set('authorization', credentials);
  return { url, headers };
}

const MAX_REDIRECTS = 20;

/**
 * Fetches, and follows redirects itself: what shows who asks goes to the named place only, whatever the headers are called.
 * `fetch` would leave out only those that it knows.
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

/** No answer came at all. */
export function unreachable(where: string, error: unknown): AttemptError {
  return new AttemptError('connection', `${where}: ${reasonOf(error)}`, { cause: error });
}

/** Why no answer came, with the system's code for it. */
function reasonOf(error: unknown): string {
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
  ETIMEDOUT: 'no connection within the time of the system',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 seconds',
  UND_ERR_SOCKET: 'the other side closed the connection',
};

/** What an answer with another status than 2xx means. */
export async function refusal(response: Response, where: string): Promise<AttemptError> {
  // Only the beginning of the body is shown, so a body that cannot be read does not matter.
  return refusalOf(response, await readText(response, where).catch(() => ''), where);
}

/** The same of an answer whose body is read. */
export function refusalOf(
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
  // Too slow (408) and too early (425) may go better the next time; any other refusal stays one.
  return new AttemptError('protocol', message, { isFinal: status !== 408 && status !== 425 });
}

let patient: object | undefined;

/**
 * Node's fetch gives up after 5 minutes without an answer; how long an agent may take is the deadline's business.
 * Its dispatcher can be had only by the well-known symbol; without it, the 5 minutes stay.
 */
export function patience(): object {
  if (patient !== undefined) return patient;
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (typeof dispatcher !== 'object' || dispatcher === null) return {};
  if (dispatcher.constructor.name !== 'Agent') return {};
  // The class that made the default dispatcher, which takes these options.
  const Agent = dispatcher.constructor as new (options: object) => object;
  patient = { dispatcher: new Agent({ headersTimeout: 0, bodyTimeout: 0 }) };
  return patient;
}
