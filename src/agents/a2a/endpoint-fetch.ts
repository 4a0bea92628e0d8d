// The `fetch` for the SDK: adds credentials, limits the size of answers and turns failures into AttemptErrors.

import { AttemptError } from '../../errors.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { isObject } from '../../json/is-object.ts';
import { readText } from '../http/http-body.ts';
import {
  fetchFrom,
  withoutTimeouts,
  statusFailure,
  splitCredentials,
  unreachable,
} from '../http/http-endpoint.ts';
import { parseJson } from '../../json/parse-json.ts';

/** The agent's URL without credentials; `headers` holds them. */
export type Endpoint = { url: URL; headers: Headers; where: string };

/** The connection ended in the middle of an answer. */
export class CutOffError extends AttemptError {}

type FetchOptions = {
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
  /** Statuses that are returned to the caller instead of thrown. */
  pass?: readonly number[];
};

export function toEndpoint(run: { url: string; headers?: Record<string, string> }): Endpoint {
  const { url, headers } = splitCredentials(run.url);
  for (const [name, value] of Object.entries(run.headers ?? {})) headers.set(name, value);
  return { url, headers, where: `${url.origin}${url.pathname}`.replace(/\/$/, '') };
}

/** A `fetch` for one turn. Limits: 10 MB for all its event streams together, 10 MB for each other answer. */
export function endpointFetch(endpoint: Endpoint, options: FetchOptions): typeof globalThis.fetch {
  const { fetch, signal, pass = [] } = options;
  const streamed = { bytes: 0 };
  return async (input, init = {}) => {
    const url = requestUrl(input, endpoint);
    const headers = new Headers(init.headers);
    let where = `${(init.method ?? 'GET').toUpperCase()} ${url.origin}${url.pathname}`;
    // A card may name any URL: credentials go only to the origin that the user configured.
    const isConfigured = url.origin === endpoint.url.origin;
    for (const [name, value] of isConfigured ? endpoint.headers : []) headers.set(name, value);
    if (!isConfigured && [...endpoint.headers].length > 0)
      where += ` (without the headers for ${endpoint.url.origin})`;
    const own = init.signal ?? signal;
    const request = { ...init, headers, signal: own, ...withoutTimeouts() };
    const response = await fetchFrom(
      fetch,
      url.href,
      request,
      isConfigured ? endpoint.headers : new Headers(),
    ).catch((error: unknown) => {
      throw own.aborted ? error : unreachable(where, error);
    });
    if (pass.includes(response.status)) return response;
    if (!response.ok) return refused(response, where);
    const isStream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    return bounded(response, where, own, isStream ? streamed : { bytes: 0 });
  };
}

function requestUrl(input: string | URL | Request, { where }: Endpoint): URL {
  const text = input instanceof Request ? input.url : String(input);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const message = `the card of ${where} names "${text}", which is not an http:// or https:// address`;
  throw new AttemptError('protocol', message, { isFinal: true });
}

/** Returns A2A errors for the SDK to parse; throws all other refusals. */
async function refused(response: Response, where: string): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = await readText(response, where).catch(() => '');
  const body = parseJson(text)?.value;
  const isA2aError = isObject(body) && isObject(body['error']) && !BY_STATUS.has(status) && status >= 400;
  if (!isA2aError) throw statusFailure(response, text, where);
  return new Response(text, { status, statusText, headers });
}

/** Statuses whose meaning does not depend on the body. */
const BY_STATUS = new Set([401, 403, 408, 425, 429, 502, 503, 504]);

function bounded(response: Response, where: string, signal: AbortSignal, read: { bytes: number }): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const cancel = (): void => {
    reader.cancel().catch(() => undefined);
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        read.bytes += value.length;
        if (read.bytes <= OUTPUT_LIMIT) return controller.enqueue(value);
        cancel();
        controller.error(
          new AttemptError('agent', `${where} answered more than 10 MB; at most 10 MB of an answer is read`),
        );
      } catch (cause) {
        const message = `${where} cut its answer off after ${String(read.bytes)} bytes`;
        controller.error(signal.aborted ? cause : new CutOffError('protocol', message, { cause }));
      }
    },
    cancel,
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
