// Routes `fetch` calls of user code and libraries through the tape of the attempt.

import type { HeaderFields, ResponseListener, Sending, Tape, WireRequest } from '../platform/tape-scope.ts';
import { currentTape } from '../platform/tape-scope.ts';
import { secretsInRequest } from '../secrets/secrets.ts';
import { BodyStream } from './body-stream.ts';

/** Statuses of responses without a body. */
const BODILESS = new Set([101, 103, 204, 205, 304]);

/** Replaces the global `fetch`. */
export function installFetch(): void {
  const live = globalThis.fetch;
  const taped: typeof fetch = (input, init) => {
    const tape = currentTape();
    return tape === undefined ? live(input, init) : fetchTaped(tape, live, input, init);
  };
  globalThis.fetch = taped;
}

async function fetchTaped(
  tape: Tape,
  live: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  const plain = plainRequest(input, init);
  const request = plain === undefined ? new Request(input, init) : undefined;
  const wire = plain ?? (await wireRequest(request as Request));
  // data: and blob: URLs use no network.
  if (!/^https?:/i.test(wire.url)) return live(request ?? input, init);
  const signal = request?.signal ?? init?.signal ?? undefined;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const answer = new Answer(wire.url, resolve, reject);
    const sending = tape.send(wire, answer, (listener) => sendLive(live, request ?? input, init, listener));
    answer.cancelled = () => sending.cancel();
    if (signal === undefined) return;
    const abort = (): void => {
      // Reject the caller first, then cancel the request.
      answer.abort(signal.reason);
      sending.cancel();
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** The common request with a URL and a text body, read without creating a Request. */
function plainRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): WireRequest | undefined {
  const address = input instanceof URL ? input.href : input;
  const { body, method = 'GET', headers } = init ?? {};
  const isPlain = typeof address === 'string' && URL.canParse(address);
  if (!isPlain || !(body === undefined || body === null || typeof body === 'string')) return undefined;
  // Invalid: let the real `fetch` throw its error.
  if (typeof body === 'string' && /^(?:get|head)$/i.test(method)) return undefined;
  const wire = { method: method.toUpperCase(), url: new URL(address).href, body: body ?? undefined };
  const given = headers === undefined ? [] : [...new Headers(headers)];
  const type = given.find(([name]) => name === 'content-type')?.[1];
  return { ...wire, type, ...secretsInRequest(given, wire.url) };
}

async function wireRequest(request: Request): Promise<WireRequest> {
  const { method, url, headers } = request;
  const type = headers.get('content-type') ?? undefined;
  const secrets = secretsInRequest(headers, url);
  if (request.body === null) return { method, url, type, ...secrets };
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  return { method, url, type, body: bytes, ...secrets };
}

/** Builds the Response that `fetch` returns. */
class Answer implements ResponseListener {
  readonly #url: string;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: unknown) => void;
  #body: BodyStream | undefined;
  #isOver = false;
  /** Called when the reader cancels the body. */
  cancelled: (() => void) | undefined;

  constructor(url: string, resolve: (response: Response) => void, reject: (error: unknown) => void) {
    this.#url = url;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  head(status: number, fields: HeaderFields): void {
    if (BODILESS.has(status)) return this.#respond(null, status, fields);
    this.#body = new BodyStream(() => {
      this.#isOver = true;
      this.cancelled?.();
    });
    this.#respond(this.#body.stream, status, fields);
  }

  /** A complete body needs no stream. */
  whole(status: number, fields: HeaderFields, pieces: (string | Uint8Array)[]): void {
    if (pieces.length > 1 || BODILESS.has(status)) {
      this.head(status, fields);
      for (const piece of pieces) this.data(piece);
      this.end(true);
      return;
    }
    this.#isOver = true;
    this.#respond(pieces[0] ?? '', status, fields);
  }

  data(piece: string | Uint8Array): void {
    if (!this.#isOver) this.#body?.add(piece);
  }

  end(isComplete: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#body?.end(isComplete ? undefined : new TypeError('terminated'));
  }

  fail(error: Error): void {
    this.#isOver = true;
    // Wrap the error as Node does, unless it is Assay's own.
    this.#reject(error.name === 'AttemptError' ? error : new TypeError('fetch failed', { cause: error }));
  }

  abort(reason: unknown): void {
    if (!this.#isOver) this.#body?.break(reason);
    this.#isOver = true;
    this.#reject(reason);
  }

  #respond(
    body: string | Uint8Array | ReadableStream<Uint8Array> | null,
    status: number,
    fields: HeaderFields,
  ): void {
    const headers = new Headers();
    for (const [name, value] of Object.entries(fields))
      for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
    // The class rejects some statuses that servers send.
    const isUsual = status >= 200 && status <= 599;
    const given = typeof body === 'string' ? Buffer.from(body) : body;
    const response = new Response(given, { status: isUsual ? status : 200, headers });
    if (!isUsual) Object.defineProperties(response, { status: { value: status }, ok: { value: false } });
    Object.defineProperty(response, 'url', { value: this.#url });
    this.#resolve(response);
  }
}

/** Sends the request and forwards the response to the listener. */
function sendLive(
  live: typeof fetch,
  request: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  listener: ResponseListener,
): Sending {
  let isCancelled = false;
  // A Request does not carry the dispatcher.
  const dispatcher: unknown = init === undefined ? undefined : Reflect.get(init, 'dispatcher');
  const rest = dispatcher === undefined ? undefined : ({ dispatcher } as RequestInit);
  const options = request instanceof Request ? rest : init;
  const work = async (): Promise<void> => {
    let response: Response;
    try {
      response = await live(request, options);
    } catch (error) {
      const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
      if (!isCancelled) listener.fail(cause instanceof Error ? cause : new Error(String(cause)));
      return;
    }
    if (isCancelled) return;
    listener.head(response.status, decodedHeaders(response));
    try {
      for await (const piece of response.body ?? []) {
        if (isCancelled) return;
        listener.data(piece as Uint8Array);
      }
      if (!isCancelled) listener.end(true);
    } catch {
      if (!isCancelled) listener.end(false);
    }
  };
  void work();
  return {
    cancel() {
      isCancelled = true;
      listener.end(false);
    },
  };
}

/** Headers without encoding and length, because the body is already decoded. */
function decodedHeaders({ headers }: Response): HeaderFields {
  const fields: HeaderFields = Object.fromEntries(headers);
  delete fields['content-encoding'];
  delete fields['content-length'];
  delete fields['transfer-encoding'];
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) fields['set-cookie'] = cookies;
  return fields;
}
