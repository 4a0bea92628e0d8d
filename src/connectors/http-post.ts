// One request over a connection that is kept: the leanest way to a server, because thousands a second go through here.

import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { messageOf } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import { modelError } from './failure.ts';

/** Where requests of one connector go; made once. */
export type PostTarget = {
  request: (options: RequestOptions, answered: (response: IncomingMessage) => void) => ClientRequest;
  options: RequestOptions;
  headers: OutgoingHttpHeaders;
};

/** How a reader of the response ends the request. */
export type Reply<T> = { resolve(value: T): void; reject(error: unknown): void };

/** Agents pool connections by origin, as many as there are requests at a time. */
const POOL = { keepAlive: true, maxFreeSockets: Number.MAX_SAFE_INTEGER };
let plainAgent: Agent | undefined;
let secureAgent: Agent | undefined;

/** The target of a method below the connector's address: `chat/completions`. */
export function postTarget({ url = '', key, headers }: Connector, method: string): PostTarget {
  const { protocol, hostname, port, pathname, search, username, password } = new URL(url);
  const isSecure = protocol === 'https:';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    request: isSecure ? https.request : http.request,
    options: {
      method: 'POST',
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: `${pathname.replace(/\/$/, '')}/${method}${search}`,
      agent: isSecure ? (secureAgent ??= new https.Agent(POOL)) : (plainAgent ??= new http.Agent(POOL)),
    },
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

/** Sends JSON and leaves the response to a reader. An abort ends the connection and rejects with its reason. */
export function post<T>(
  connector: Connector,
  target: PostTarget,
  body: string,
  signal: AbortSignal,
  read: (response: IncomingMessage, reply: Reply<T>) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    let request: ClientRequest | undefined;
    let response: IncomingMessage | undefined;
    const settle = (): void => {
      isSettled = true;
      signal.removeEventListener('abort', abort);
    };
    const reply: Reply<T> = {
      resolve(value) {
        settle();
        resolve(value);
      },
      reject(error) {
        settle();
        // A response that was read to its end leaves a connection that can be used again.
        if (response?.complete !== true) request?.destroy();
        reject(error);
      },
    };
    const abort = (): void => reply.reject(signal.reason);
    const headers = { ...target.headers, 'content-length': Buffer.byteLength(body) };
    const send = (): void => {
      const sent = target.request({ ...target.options, headers }, (incoming) => {
        response = incoming;
        read(incoming, reply);
      });
      request = sent;
      sent.on('error', (error) => {
        if (isSettled || response !== undefined) return;
        // The server closed a kept connection at the moment it was used; that says nothing about the server.
        if (sent.reusedSocket && isReset(error)) send();
        else reply.reject(modelError(connector, 'connection', reasonOf(error), { cause: error }));
      });
      sent.end(body);
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      send();
    } catch (error) {
      // What Node refuses to send: a header with a forbidden character.
      reply.reject(modelError(connector, 'harness', messageOf(error), { cause: error, isFinal: true }));
    }
  });
}

/** Reads a body to its end, or as far as it goes; what is beyond the limit is not read. */
export function readBody(
  response: IncomingMessage,
  limit: number,
  done: (text: string, isWhole: boolean) => void,
): void {
  let text = '';
  let isDone = false;
  const finish = (isWhole: boolean): void => {
    if (isDone) return;
    isDone = true;
    done(text, isWhole);
  };
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    text += piece;
    if (text.length > limit) finish(false);
  });
  response.on('end', () => finish(true));
  response.on('error', () => finish(false));
  response.on('close', () => finish(false));
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
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
