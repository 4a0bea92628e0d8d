// Starts the viewer's server on this machine: history and definitions of an application, and the page that shows them.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { ConfigError, messageOf } from '../errors.ts';
import { writeAnswer, writeError } from './answer.ts';
import { ApiError } from './api-error.ts';
import type { Application } from './viewer-application.ts';
import { limitConnections, TIMEOUTS } from './connection-limit.ts';
import { hasToken, readBody, rejectForeignRequests } from './guard.ts';
import { createLiveness } from './liveness.ts';
import type { Handler, Viewer } from './routes.ts';
import { ROUTES } from './routes.ts';
import { createStreamLimit } from './stream-limit.ts';

export type RunningServer = {
  port: number;
  /** Required to start runs and save suites. */
  token: string;
  /** Ends all streams and connections. */
  close(): Promise<void>;
};

/** Reachable only from this machine. */
const HOST = '127.0.0.1';
/** A browser opens six connections to a server; streams of several tabs must leave some of them free. */
const MAX_LIVE = 4;
const MAX_DOWNLOADS = 8;
/** How many ports to try after the default one. */
const FURTHER_PORTS = 20;

/** Listens on the port, or on the next free one if it is taken and the user did not ask for it. */
export async function startServer(
  application: Application,
  { port, isAsked }: { port: number; isAsked: boolean },
): Promise<RunningServer> {
  const token = randomBytes(32).toString('hex');
  const closing = new AbortController();
  const viewer: Viewer = {
    application,
    isLive: createLiveness(application),
    live: createStreamLimit(MAX_LIVE),
    downloads: createStreamLimit(MAX_DOWNLOADS),
  };
  const server = createHttpServer(TIMEOUTS, (request, response) => {
    void answer(request, response, { viewer, token, port: listeningPort(server), signal: closing.signal });
  });
  // Node would drop further headers silently. Their size is limited, and the guard rejects too many of them.
  server.maxHeadersCount = 0;
  limitConnections(server);
  await listen(server, port, isAsked ? 0 : FURTHER_PORTS);
  return {
    port: listeningPort(server),
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

function listeningPort(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Never throws: errors become answers. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { viewer, token, port, signal }: { viewer: Viewer; token: string; port: number; signal: AbortSignal },
): Promise<void> {
  // A client that disconnects early is not an error.
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  try {
    rejectForeignRequests(request, port);
    const { path, query } = parseAddress(request.url ?? '');
    const { handler, id, isReading } = findRoute(path, request.method ?? '');
    const isTrusted = hasToken(request, token);
    if (!isReading && !isTrusted)
      throw new ApiError(401, 'the token is missing or wrong', {
        hint: 'open the address that assay view has printed',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    const body = isReading ? {} : await readBody(request);
    const lastEventId = request.headers['last-event-id'];
    const apiRequest = {
      id,
      query,
      body,
      hasToken: isTrusted,
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    };
    await writeAnswer(response, await handler(apiRequest, viewer), {
      signal,
      isHead: request.method === 'HEAD',
    });
  } catch (error) {
    writeError(response, error);
  }
}

/** Accepts only a path, which is what a browser sends without a proxy. */
function parseAddress(url: string): { path: string; query: URLSearchParams } {
  if (!url.startsWith('/')) throw new ApiError(400, 'expected a path');
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return { path, query: new URLSearchParams(end === -1 ? '' : url.slice(end)) };
}

function findRoute(path: string, method: string): { handler: Handler; id: string; isReading: boolean } {
  for (const [pattern, methods] of Object.entries(ROUTES)) {
    const id = matchPattern(pattern, path);
    if (id === undefined) continue;
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler !== undefined) return { handler, id, isReading: method === 'GET' || method === 'HEAD' };
    throw new ApiError(405, `${method} is not possible here`, {
      headers: { Allow: Object.keys(methods).join(', ') },
    });
  }
  throw new ApiError(404, 'no such page');
}

/** The part of the path at `:id`, empty without `:id` in the pattern; undefined if the path does not match. */
function matchPattern(pattern: string, path: string): string | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  if (!wanted.every((part, index) => part === ':id' || part === given[index])) return undefined;
  const index = wanted.indexOf(':id');
  return index === -1 ? '' : decoded(given[index] ?? '');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ApiError(400, 'the address is not encoded correctly');
  }
}
