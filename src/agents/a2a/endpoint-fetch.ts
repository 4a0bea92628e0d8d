// The `fetch` that the SDK gets: credentials go along, answers are bounded, and what goes wrong is an AttemptError.

import { AttemptError } from '../../errors.ts';
import { OUTPUT_LIMIT } from '../../platform/bounded-output.ts';
import { isObject } from '../../json/is-object.ts';
import { readText } from '../http/http-answer.ts';
import { fetchFrom, patience, refusalOf, splitCredentials, unreachable } from '../http/http-endpoint.ts';
import { parse } from '../http/http-parts.ts';

/** Where the agent is, without credentials; these are among the headers. */
export type Endpoint = { url: URL; headers: Headers; where: string };

/** The connection ended in the middle of an answer. */
export class CutOffError extends AttemptError {}

type FetchOptions = {
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
  /** Statuses that are handed on as they are. */
  pass?: readonly number[];
};

/** What a definition says about the agent's place. */
export function endpointOf(run: { url: string; headers?: Record<string, string> }): Endpoint {
  const { url, headers } = splitCredentials(run.url);
  for (const [name, value] of Object.entries(run.headers ?? {})) headers.set(name, value);
  return { url, headers, where: `${url.origin}${url.pathname}`.replace(/\/$/, '') };
}

/** A `fetch` for one turn: all event streams it opens together may bring 10 MB, and every other answer 10 MB. */
export function endpointFetch(endpoint: Endpoint, options: FetchOptions): typeof globalThis.fetch {
  const { fetch, signal, pass = [] } = options;
  const streamed = { bytes: 0 };
  return async (input, init = {}) => {
    const url = addressOf(input, endpoint);
    const headers = new Headers(init.headers);
    let where = `${(init.method ?? 'GET').toUpperCase()} ${url.origin}${url.pathname}`;
    // A card may name any address; credentials are only for the place that the user has named.
    const isNamed = url.origin === endpoint.url.origin;
    for (const [name, value] of isNamed ? endpoint.headers : []) headers.set(name, value);
    if (!isNamed && [...endpoint.headers].length > 0)
      where += ` (without the headers for ${endpoint.url.origin})`;
    const own = init.signal ?? signal;
    const request = { ...init, headers, signal: own, ...patience() };
    const response = await fetchFrom(
      fetch,
      url.href,
      request,
      isNamed ? endpoint.headers : new Headers(),
    ).catch((error: unknown) => {
      throw own.aborted ? error : unreachable(where, error);
    });
    if (pass.includes(response.status)) return response;
    if (!response.ok) return refused(response, where);
    const isStream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    return bounded(response, where, own, isStream ? streamed : { bytes: 0 });
  };
}

function addressOf(input: string | URL | Request, { where }: Endpoint): URL {
  const text = input instanceof Request ? input.url : String(input);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const message = `the card of ${where} names "${text}", which is not an http:// or https:// address`;
  throw new AttemptError('protocol', message, { isFinal: true });
}

/** An error of the protocol is for the SDK to read; anything else says enough by its status. */
async function refused(response: Response, where: string): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = await readText(response, where).catch(() => '');
  const body = parse(text)?.value;
  const isOfProtocol = isObject(body) && isObject(body['error']) && !BY_STATUS.has(status) && status >= 400;
  if (!isOfProtocol) throw refusalOf(response, text, where);
  return new Response(text, { status, statusText, headers });
}

/** These mean the same whatever the body says. */
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
