// One request over a connection that is kept: the leanest way to a server, because thousands a second go through here.

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

/** How a reader of the response ends the request. */
export type Reply<T> = { resolve(value: T): void; reject(error: unknown): void };

/** Reads a body until it ends the request, at the latest when it hears of the body's end. */
export type BodyReader = { data(text: string): void; end(isComplete: boolean): void };

/** Chooses how to read the body of a response. */
export type ReadResponse<T> = (status: number, headers: HeaderFields, reply: Reply<T>) => BodyReader;

/** How long a response may stay open after its reader has what it wants. */
const LINGER_MS = 200;

/** The target of a method below the connector's address: `chat/completions`. */
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
      // A service that takes the key in a header of its own may refuse it in this one.
      ...(key !== undefined && headers?.['api-key'] === undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
  };
}

function urlOf({ isSecure, hostname, port, path }: PostTarget): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return `http${isSecure ? 's' : ''}://${host}:${String(port)}${path}`;
}

/** Sends JSON and leaves the response to a reader. An abort ends the connection and rejects with its reason. */
export function post<T>(
  connector: Connector,
  target: PostTarget,
  body: string,
  signal: AbortSignal,
  read: ReadResponse<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // The reason is thrown as it is, because its giver recognises it.
    if (signal.aborted) return reject(signal.reason as Error);
    new Exchange(connector, signal, read, { resolve, reject }).send(target, body);
  });
}

/** One request: hears of its response, has it read, and settles. */
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
          : tape.send({ method: 'POST', url: urlOf(target), body, isRetried: true }, this, (listener) =>
              send(target, body, { ...listener, wait: () => this.wait() }),
            );
    } catch (error) {
      // A header with a forbidden character.
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

  /** The connection is kept when the response ends; a server that leaves the response open loses it. */
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
    this.reject(modelError(this.#connector, code, reasonOf(error), { cause: error }));
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

/** Reads a body to its end, or as far as it goes; what is beyond the limit is not read. */
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
  ETIMEDOUT: 'no connection within the time of the system',
  UND_ERR_SOCKET: 'the other side closed the connection',
};

/** Why no answer came, with the system's code for it; a name with several addresses has an error for each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const words = code === undefined ? undefined : REASONS[code];
  return words === undefined ? messageOf(error) : `${words} (${String(code)})`;
}
