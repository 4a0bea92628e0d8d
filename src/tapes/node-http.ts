// Routes requests of `node:http` and `node:https` through the tape of the attempt.

import { AsyncLocalStorage } from 'node:async_hooks';
import { errorMonitor } from 'node:events';
import type { ClientRequest } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { ResponseListener, Sending, Tape } from '../platform/tape-scope.ts';
import { currentTape } from '../platform/tape-scope.ts';
import { secretsInRequest } from '../secrets/secrets.ts';
import { hostAndPort } from './address.ts';
import { BodyStream } from './body-stream.ts';

/** Kept before user code can replace it. */
const { setTimeout } = globalThis;
/** How long a caller may read the received pieces before the connection breaks. */
const DRAIN_MS = 20;

const BODILESS = new Set([101, 103, 204, 205, 304]);

/** A request, and the listener of its response once it is sent. */
type Sent = { listener?: ResponseListener; hasResponse?: boolean };

const sending = new AsyncLocalStorage<Sent>();
/** Sent requests without a response. */
const waiting = new Map<string, Sent>();
/** Addresses of recorded requests in flight: connections to them are not reported. */
const inFlight = new Set<string>();

/** True if a recorded request to the address is in flight. */
export function isInFlight(address: string): boolean {
  return inFlight.has(address);
}

/** Installs the interceptor. */
export function installNodeHttp(): void {
  const load = createRequire(import.meta.url);
  // `require` is synchronous: no user code may run before the interceptor is installed. It has no types.
  const { ClientRequestInterceptor } = load(
    '@mswjs/interceptors/ClientRequest',
  ) as typeof import('@mswjs/interceptors/ClientRequest');
  const interceptor = new ClientRequestInterceptor();
  interceptor.apply();
  // The library awaits its listeners, unlike their type.
  const listen: (event: 'request', listener: (args: RequestEvent) => Promise<void> | undefined) => unknown =
    interceptor.on.bind(interceptor);
  listen('request', ({ request, requestId, controller }) => {
    const tape = currentTape();
    return tape === undefined ? undefined : takeRequest(tape, request, requestId, controller);
  });
  interceptor.on('response', ({ response, requestId, isMockedResponse }) => {
    const sent = waiting.get(requestId);
    if (isMockedResponse || sent?.listener === undefined) return;
    waiting.delete(requestId);
    sent.hasResponse = true;
    const { listener } = sent;
    // Not awaited: the caller gets its response meanwhile.
    void forward(response, listener);
  });
  followRequests();
  interceptor.on('unhandledException', ({ error, controller }) => {
    controller.errorWith(error instanceof Error ? error : new Error(String(error)));
  });
}

/** Observes failures on the requests themselves, because the library does not report them. */
function followRequests(): void {
  for (const module of [http, https]) {
    for (const name of ['request', 'get'] as const) {
      const live = module[name].bind(module) as (...args: unknown[]) => ClientRequest;
      const followed = (...args: unknown[]): ClientRequest => {
        if (currentTape() === undefined) return live(...args);
        const sent: Sent = {};
        const request = sending.run(sent, () => live(...args));
        request.on(errorMonitor, (error: Error) => {
          // A request aborted by its caller has no answer.
          if (sent.hasResponse !== true && error.name !== 'AbortError') sent.listener?.fail(error);
        });
        // Aborted by its caller: it never had an answer.
        request.on('close', () => {
          if (sent.hasResponse !== true) sent.listener?.end(false);
        });
        return request;
      };
      Object.defineProperty(module, name, { value: followed, configurable: true, writable: true });
    }
  }
  syncBuiltinESMExports();
}

type RequestEvent = { request: Request; requestId: string; controller: Controller };

async function takeRequest(
  tape: Tape,
  request: Request,
  requestId: string,
  controller: Controller,
): Promise<void> {
  const { method, url, headers } = request;
  const type = headers.get('content-type') ?? undefined;
  const body = request.body === null ? undefined : new Uint8Array(await request.clone().arrayBuffer());
  const secrets = secretsInRequest(headers, url);
  await answer(tape, { method, url, type, body, ...secrets }, requestId, controller);
}

type Controller = { respondWith(response: Response): unknown; errorWith(error: Error): unknown };

/** Resolves when the request is answered from the tape, or must be sent. */
function answer(
  tape: Tape,
  wire: Parameters<Tape['send']>[0],
  requestId: string,
  controller: Controller,
): Promise<void> {
  return new Promise((resolve) => {
    const body = new BodyStream();
    /** The caller gets the server's response, and the tape records it. */
    let isLive = false;
    const player: ResponseListener = {
      head(status, fields) {
        if (isLive) return;
        const headers = new Headers();
        for (const [name, value] of Object.entries(fields)) headers.set(name, String(value));
        const isEmpty = BODILESS.has(status) || wire.method === 'HEAD';
        controller.respondWith(new Response(isEmpty ? null : body.stream, { status, headers }));
        resolve();
      },
      data: (piece) => body.add(piece),
      end(isComplete) {
        if (isComplete) body.end();
        // The library would discard what the caller has not read yet.
        else setTimeout(() => body.end(new Error('aborted')), DRAIN_MS);
      },
      fail(error) {
        if (isLive) return;
        controller.errorWith(error);
        resolve();
      },
    };
    tape.send(wire, player, (listener): Sending => {
      // The request continues; its response is recorded later.
      isLive = true;
      expect(wire.url, requestId, listener);
      resolve();
      return { cancel: () => undefined };
    });
  });
}

function expect(url: string, requestId: string, listener: ResponseListener): void {
  inFlight.add(hostAndPort(url));
  const sent = sending.getStore() ?? {};
  sent.listener = listener;
  waiting.set(requestId, sent);
}

/** Forwards the response to the listener, decompressed if the encoding is known. */
async function forward(response: Response, listener: ResponseListener): Promise<void> {
  const headers: Record<string, string> = Object.fromEntries(response.headers);
  const decode = DECODERS[headers['content-encoding'] ?? ''];
  const pieces: Uint8Array[] = [];
  try {
    if (decode === undefined) listener.head(response.status, headers);
    for await (const piece of response.body ?? []) {
      if (decode === undefined) listener.data(piece as Uint8Array);
      else pieces.push(piece as Uint8Array);
    }
    if (decode !== undefined) {
      listener.head(response.status, headers);
      listener.data(decode(Buffer.concat(pieces)));
    }
    listener.end(true);
  } catch {
    listener.end(false);
  }
}

const DECODERS: Record<string, ((bytes: Buffer) => Uint8Array) | undefined> = {
  br: (bytes) => brotliDecompressSync(bytes),
  deflate: (bytes) => inflateSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
};
