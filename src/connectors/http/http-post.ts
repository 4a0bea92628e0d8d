// Sends one request over a kept-alive connection. A hot path: thousands of requests per second.

import { clearTimeout, setTimeout } from 'node:timers';
import { AttemptError, messageOf } from '../../errors.ts';
import type { Connector } from '../../model/connector.ts';
import { currentTape } from '../../platform/tape-scope.ts';
import type { HeaderFields } from '../failure.ts';
import { modelError } from '../failure.ts';
import type { PostTarget, ResponseListener, Sending } from './http-exchange.ts';
import { MalformedResponse } from './http-exchange.ts';
import { sendPlain } from './plain-http.ts';
import { sendSecure } from './secure-http.ts';

/** Settles the request; called by the reader of the response. */
export type Reply<T> = { resolve(value: T): void; reject(error: unknown): void };

/** Reads a body and settles the request, in `end` at the latest. */
export type BodyReader = { data(text: string): void; end(isComplete: boolean): void };

/** Chooses how to read the body of a response. */
export type ReadResponse<T> = (status: number, headers: HeaderFields, reply: Reply<T>) => BodyReader;

/** How long a response may stay open after the request is settled. */
const LINGER_MS = 200;

/** The target of a method below the connector's URL, such as `chat/completions`. */
export function postTarget({ url = '', key, headers }: Connector, method: string): PostTarget {
  const { protocol, hostname, port, pathname, search, username, password } = new URL(url);
  const isSecure = protocol === 'https:';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    isSecure,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    path: `${pathname.replace(/\/$/, '')}/${method}${search}`,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      ...(credentials !== ':' && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
      // A service with an `api-key` header may refuse the key in this one.
      ...(key !== undefined && headers?.['api-key'] === undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
  };
}

function targetUrl({ isSecure, hostname, port, path }: PostTarget): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return `http${isSecure ? 's' : ''}://${host}:${String(port)}${path}`;
}

/** Sends JSON and passes the response to a reader. An abort closes the connection and rejects with its reason. */
export function post<T>(
  connector: Connector,
  target: PostTarget,
  body: string,
  signal: AbortSignal,
  read: ReadResponse<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // Thrown unchanged: the caller recognises its own reason.
    if (signal.aborted) return reject(signal.reason as Error);
    new Exchange(connector, signal, read, { resolve, reject }).send(target, body);
  });
}

/** One request and the reading of its response. */
class Exchange<T> implements ResponseListener, Reply<T> {
  readonly #connector: Connector;
  readonly #signal: AbortSignal;
  readonly #read: ReadResponse<T>;
  readonly #promise: Reply<T>;
  readonly #abort = (): void => this.reject(this.#signal.reason);
  #sending: Sending | undefined;
  #reader: BodyReader | undefined;
  #lingering: NodeJS.Timeout | undefined;
  #isSettled = false;

  constructor(connector: Connector, signal: AbortSignal, read: ReadResponse<T>, promise: Reply<T>) {
    this.#connector = connector;
    this.#signal = signal;
    this.#read = read;
    this.#promise = promise;
  }

  send(target: PostTarget, body: string): void {
    this.#signal.addEventListener('abort', this.#abort, { once: true });
    try {
      const send = target.isSecure ? sendSecure : sendPlain;
      const tape = currentTape();
      this.#sending =
        tape === undefined
          ? send(target, body, this)
          : tape.send({ method: 'POST', url: targetUrl(target), body, isRetried: true }, this, (listener) =>
              send(target, body, { ...listener, wait: () => this.wait() }),
            );
    } catch (error) {
      // A header has a forbidden character.
      this.reject(modelError(this.#connector, 'harness', messageOf(error), { cause: error, isFinal: true }));
    }
  }

  head(status: number, headers: HeaderFields): void {
    if (!this.#isSettled) this.#reader = this.#read(status, headers, this);
  }

  data(piece: string | Uint8Array): void {
    if (!this.#isSettled)
      this.#reader?.data(typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8'));
  }

  /** The connection is reused if the response ends within LINGER_MS, else closed. */
  wait(): void {
    if (this.#isSettled) this.#lingering ??= setTimeout(() => this.#sending?.cancel(), LINGER_MS);
  }

  end(isComplete: boolean): void {
    if (this.#lingering !== undefined) clearTimeout(this.#lingering);
    if (!this.#isSettled) this.#reader?.end(isComplete);
  }

  fail(error: Error): void {
    if (this.#isSettled) return;
    if (error instanceof AttemptError) return this.reject(error);
    const code = error instanceof MalformedResponse ? 'protocol' : 'connection';
    this.reject(modelError(this.#connector, code, networkError(error), { cause: error }));
  }

  resolve(value: T): void {
    this.#settle();
    this.#promise.resolve(value);
  }

  reject(error: unknown): void {
    this.#settle();
    this.#sending?.cancel();
    this.#promise.reject(error);
  }

  #settle(): void {
    this.#isSettled = true;
    this.#signal.removeEventListener('abort', this.#abort);
  }
}

/** Reads a body up to the limit. */
export function readBody(limit: number, done: (text: string, isWhole: boolean) => void): BodyReader {
  let text = '';
  return {
    data(piece) {
      text += piece;
      if (text.length > limit) done(text, false);
    },
    end: (isComplete) => done(text, isComplete),
  };
}

const REASONS: Record<string, string> = {
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the other side closed the connection',
  EHOSTUNREACH: 'no route to the host',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the other side closed the connection',
};

/** The reason of a network error. A host with several addresses has one error for each: the first counts. */
export function networkError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return networkError(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const words = code === undefined ? undefined : REASONS[code];
  return words === undefined ? messageOf(error) : `${words} (${String(code)})`;
}
