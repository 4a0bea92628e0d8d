// An application in, a server on this machine out: its history, its definitions, and the page that shows them.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { ConfigError, messageOf } from '../errors.ts';
import { writeAnswer, writeError } from './answer.ts';
import { ApiError } from './api-error.ts';
import type { Application } from './viewer-application.ts';
import { hasToken, readBody, refuseOthers } from './guard.ts';
import { createLiveness } from './liveness.ts';
import type { Handler, Viewer } from './routes.ts';
import { ROUTES } from './routes.ts';
import { createStreamLimit } from './stream-limit.ts';

export type RunningServer = {
  port: number;
  /** Whoever has it may start runs and save suites. */
  token: string;
  /** Ends all streams and connections. */
  close(): Promise<void>;
};

/** Nobody but this machine can reach it. */
const HOST = '127.0.0.1';
const MOST_CONNECTIONS = 200;
const REQUEST_MS = 30_000;
/** So many ports after the usual one are tried. */
const FURTHER_PORTS = 20;

/** Listens on the port; if that was not asked for and is taken, on the next free one. */
export async function startServer(
  application: Application,
  { port, isAsked }: { port: number; isAsked: boolean },
): Promise<RunningServer> {
  const token = randomBytes(32).toString('hex');
  const closing = new AbortController();
  const viewer: Viewer = {
    application,
    isLive: createLiveness(application),
    streams: createStreamLimit(),
  };
  const server = createHttpServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    void answer(request, response, { viewer, token, port: portOf(server), signal: closing.signal });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, port, isAsked ? 0 : FURTHER_PORTS);
  return {
    port: portOf(server),
    token,
    async close() {
      closing.abort();
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number, further: number): Promise<void> {
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen({ host: HOST, port, exclusive: true }, () => {
        server.off('error', fail);
        done();
      });
    });
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    if (isTaken && further > 0) return listen(server, port + 1, further - 1);
    throw new ConfigError(
      isTaken
        ? `port ${String(port)} is taken`
        : `cannot listen on port ${String(port)}: ${messageOf(cause)}`,
      { at: '--port', hint: 'choose another one; 0 takes any that is free', cause },
    );
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Never throws: what goes wrong is an answer as well. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { viewer, token, port, signal }: { viewer: Viewer; token: string; port: number; signal: AbortSignal },
): Promise<void> {
  // Who goes away in the middle of a request or an answer is nobody's error.
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  try {
    refuseOthers(request, port);
    const { path, query } = addressOf(request.url ?? '');
    const { handler, id, isReading } = routeOf(path, request.method ?? '');
    const isTrusted = hasToken(request, token);
    if (!isReading && !isTrusted)
      throw new ApiError(401, 'the token is missing or wrong', {
        hint: 'open the address that assay view has printed',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    const body = isReading ? {} : await readBody(request);
    const lastEventId = request.headers['last-event-id'];
    const asked = {
      id,
      query,
      body,
      hasToken: isTrusted,
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    };
    await writeAnswer(response, await handler(asked, viewer), { signal, isHead: request.method === 'HEAD' });
  } catch (error) {
    writeError(response, error);
  }
}

/** Only what a browser sends to a server, and no proxy: a path. */
function addressOf(url: string): { path: string; query: URLSearchParams } {
  if (!url.startsWith('/')) throw new ApiError(400, 'expected a path');
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return { path, query: new URLSearchParams(end === -1 ? '' : url.slice(end)) };
}

function routeOf(path: string, method: string): { handler: Handler; id: string; isReading: boolean } {
  for (const [pattern, methods] of Object.entries(ROUTES)) {
    const id = matched(pattern, path);
    if (id === undefined) continue;
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler !== undefined) return { handler, id, isReading: method === 'GET' || method === 'HEAD' };
    throw new ApiError(405, `${method} is not possible here`, {
      headers: { Allow: Object.keys(methods).join(', ') },
    });
  }
  throw new ApiError(404, 'there is nothing here');
}

/** What stands in the place of `:id`, or an empty text if there is no such place; undefined if the path is another one. */
function matched(pattern: string, path: string): string | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  if (!wanted.every((part, index) => part === ':id' || part === given[index])) return undefined;
  const place = wanted.indexOf(':id');
  return place === -1 ? '' : decoded(given[place] ?? '');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ApiError(400, 'the address is not encoded as it should be');
  }
}
