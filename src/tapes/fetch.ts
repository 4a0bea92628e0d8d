// `fetch` of user code and of libraries, through the tape of the attempt that calls it.

import type { HeaderFields, ResponseListener, Sending, Tape, WireRequest } from '../platform/tape-scope.ts';
import { currentTape } from '../platform/tape-scope.ts';
import { secretsInRequest } from '../secrets/secrets.ts';
import { BodyStream } from './body-stream.ts';

/** Responses with these have no body, not even an empty one. */
const BODILESS = new Set([101, 103, 204, 205, 304]);

/** From now on, requests of attempts with a tape go through it. */
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
  // An address such as data: or blob: reaches nobody.
  if (!/^https?:/i.test(wire.url)) return live(request ?? input, init);
  const signal = request?.signal ?? init?.signal ?? undefined;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const answer = new Answer(wire.url, resolve, reject);
    const sending = tape.send(wire, answer, (listener) => sendLive(live, request ?? input, init, listener));
    answer.cancelled = () => sending.cancel();
    if (signal === undefined) return;
    const abort = (): void => {
      // First the caller, who waits for nothing else.
      answer.abort(signal.reason);
      sending.cancel();
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** A request that needs no object to be understood, as most are: an address and a text. */
function plainRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): WireRequest | undefined {
  const address = input instanceof URL ? input.href : input;
  const { body, method = 'GET', headers } = init ?? {};
  const isPlain = typeof address === 'string' && URL.canParse(address);
  if (!isPlain || !(body === undefined || body === null || typeof body === 'string')) return undefined;
  // Something is wrong with it, which the real one says best.
  if (typeof body === 'string' && /^(?:get|head)$/i.test(method)) return undefined;
  const wire = { method: method.toUpperCase(), url: new URL(address).href, body: body ?? undefined };
  const given = headers === undefined ? [] : [...new Headers(headers)];
  const type = given.find(([name]) => name === 'content-type')?.[1];
  return { ...wire, type, secrets: secretsInRequest(given, wire.url) };
}

async function wireRequest(request: Request): Promise<WireRequest> {
  const { method, url, headers } = request;
  const type = headers.get('content-type') ?? undefined;
  const secrets = secretsInRequest(headers, url);
  if (request.body === null) return { method, url, type, secrets };
  const bytes = new Uint8Array(await request.clone().arrayBuffer());
  return { method, url, type, body: bytes, secrets };
}

/** The response of a tape, as `fetch` gives it. */
class Answer implements ResponseListener {
  readonly #url: string;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: unknown) => void;
  #body: BodyStream | undefined;
  #isOver = false;
  /** Called if nobody wants the rest of the body. */
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

  /** A body in one piece needs no stream of its own. */
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
    // As Node says it, unless it is our own word.
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
    // Servers may say what the class does not take.
    const isUsual = status >= 200 && status <= 599;
    const given = typeof body === 'string' ? Buffer.from(body) : body;
    const response = new Response(given, { status: isUsual ? status : 200, headers });
    if (!isUsual) Object.defineProperties(response, { status: { value: status }, ok: { value: false } });
    Object.defineProperty(response, 'url', { value: this.#url });
    this.#resolve(response);
  }
}

/** Sends it for real, and tells what comes. */
function sendLive(
  live: typeof fetch,
  request: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  listener: ResponseListener,
): Sending {
  let isCancelled = false;
  // A dispatcher is not part of a request.
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
    listener.head(response.status, headersOf(response));
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

/** The body is decoded already, and as long as it is. */
function headersOf({ headers }: Response): HeaderFields {
  const fields: HeaderFields = Object.fromEntries(headers);
  delete fields['content-encoding'];
  delete fields['content-length'];
  delete fields['transfer-encoding'];
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) fields['set-cookie'] = cookies;
  return fields;
}
