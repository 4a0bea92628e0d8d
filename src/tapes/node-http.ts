// Requests of `node:http` and `node:https`, through the tape of the attempt that makes them.

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
import { addressOf } from './address.ts';
import { BodyStream } from './body-stream.ts';

/** As it was before user code could replace it. */
const { setTimeout } = globalThis;
/** How long a caller has to read what came before the connection broke. */
const DRAIN_MS = 20;

const BODILESS = new Set([101, 103, 204, 205, 304]);

/** A request of the caller, and who hears of its response once it has gone out. */
type Sent = { listener?: ResponseListener; hasResponse?: boolean };

const sending = new AsyncLocalStorage<Sent>();
/** Who waits for the response to a request that went out. */
const waiting = new Map<string, Sent>();
/** Addresses that recorded requests are on their way to; a connection there is no secret one. */
const underWay = new Set<string>();

/** True if a connection to the address carries a request that is recorded. */
export function isUnderWay(address: string): boolean {
  return underWay.has(address);
}

/** From now on, requests of attempts with a tape go through it. */
export function installNodeHttp(): void {
  const load = createRequire(import.meta.url);
  // By require, because workers must not run user code before this is in place. It has no types that way.
  const { ClientRequestInterceptor } = load(
    '@mswjs/interceptors/ClientRequest',
  ) as typeof import('@mswjs/interceptors/ClientRequest');
  const interceptor = new ClientRequestInterceptor();
  interceptor.apply();
  // The library waits for what its listeners return, although their type does not say so.
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
    // Nobody waits for this: the caller gets its response meanwhile.
    void tell(response, listener);
  });
  followRequests();
  interceptor.on('unhandledException', ({ error, controller }) => {
    controller.errorWith(error instanceof Error ? error : new Error(String(error)));
  });
}

/** The library does not tell how requests fail: that is heard from the requests themselves. */
function followRequests(): void {
  for (const module of [http, https]) {
    for (const name of ['request', 'get'] as const) {
      const live = module[name].bind(module) as (...args: unknown[]) => ClientRequest;
      const followed = (...args: unknown[]): ClientRequest => {
        if (currentTape() === undefined) return live(...args);
        const sent: Sent = {};
        const request = sending.run(sent, () => live(...args));
        request.on(errorMonitor, (error: Error) => {
          // What its caller gives up has no answer.
          if (sent.hasResponse !== true && error.name !== 'AbortError') sent.listener?.fail(error);
        });
        // Given up by its caller: it never had an answer.
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
  await answer(tape, { method, url, type, body, secrets }, requestId, controller);
}

type Controller = { respondWith(response: Response): unknown; errorWith(error: Error): unknown };

/** Ends when the request is answered, or when it is known that it has to be sent. */
function answer(
  tape: Tape,
  wire: Parameters<Tape['send']>[0],
  requestId: string,
  controller: Controller,
): Promise<void> {
  return new Promise((resolve) => {
    const body = new BodyStream();
    /** The caller gets its response from the server, and the tape hears of it. */
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
        // The library would throw away what the caller has not read yet.
        else setTimeout(() => body.end(new Error('aborted')), DRAIN_MS);
      },
      fail(error) {
        if (isLive) return;
        controller.errorWith(error);
        resolve();
      },
    };
    tape.send(wire, player, (listener): Sending => {
      // It goes on as it was, and its response is heard of later.
      isLive = true;
      expect(wire.url, requestId, listener);
      resolve();
      return { cancel: () => undefined };
    });
  });
}

function expect(url: string, requestId: string, listener: ResponseListener): void {
  underWay.add(addressOf(url));
  const sent = sending.getStore() ?? {};
  sent.listener = listener;
  waiting.set(requestId, sent);
}

/** Tells what came, decompressed as far as that is known. */
async function tell(response: Response, listener: ResponseListener): Promise<void> {
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
