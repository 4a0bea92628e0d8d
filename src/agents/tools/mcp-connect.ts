// Connects to a tool server in another process or on another machine.

import type { Client, Transport, VersionNegotiationMode } from '@modelcontextprotocol/client';
import { messageOf } from '../../errors.ts';
import type { ToolServer, ToolTransport } from '../../model/tool-server.ts';
import { extractBasicAuth } from '../../secrets/basic-auth.ts';
import { excerpt } from '../../text/excerpt.ts';
import { StdioTransport } from './stdio-transport.ts';

export type RemoteServer = ToolServer & Exclude<ToolTransport, { transport: 'process' }>;

export type Connection = {
  client: Client;
  /** True if the error is a response of the server. */
  isRefusal(error: unknown): error is Error;
  /** Why the connection was lost; undefined while it is open. */
  reason(): string | undefined;
  /** True if the server responds within the limit. */
  isAlive(limitMs: number): Promise<boolean>;
  /** Closes the connection; pending calls fail. */
  close(reason: string): void;
};

/** The server cannot be used; `status` is the HTTP status, if there is one. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
  readonly status: number | undefined;

  constructor(message: string, options: { cause?: unknown; status?: number | undefined } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
  }
}

type Sdk = typeof import('@modelcontextprotocol/client');
type Route = {
  transport: () => Transport;
  mode: VersionNegotiationMode;
  /** Pending answers are lost when the stream breaks. */
  isFragile?: boolean;
};

/** No timeout of the SDK: the deadline of the attempt limits a call. This is the maximum of a timer. */
export const NEVER_MS = 2 ** 31 - 1;
/** Error code of servers that refuse older protocols, in the answer or the body of an HTTP error. */
const UNSUPPORTED_VERSION = -32022;
const NEWEST_VERSION = '2026-07-28';
/** Statuses of servers that support only the older HTTP transport with SSE. */
const NOT_STREAMABLE = [400, 404, 405];
/** How long a server may take to answer a ping after its connection broke. */
const ALIVE_MS = 10_000;
/** Prefix that the SDK adds to the body of an HTTP error. */
const SDK_PREFIX = /^(?:Error POSTing to endpoint|SSE error): /;

/**
 * Tries the most common protocol version first, then the newest, then, over HTTP, the old SSE transport.
 * Throws ServerGone.
 */
export async function connect(
  server: RemoteServer,
  { connectMs }: { connectMs: number },
): Promise<Connection> {
  const sdk = await import('@modelcontextprotocol/client');
  const usual: Route = { transport: () => createTransport(server, sdk), mode: 'legacy' };
  try {
    return await connectBy(usual, sdk, connectMs);
  } catch (error) {
    const other = fallback(error, server, usual, sdk);
    if (other === undefined) throw error;
    return await connectBy(other, sdk, connectMs).catch((second: unknown) => {
      // A URL without a tool server refuses both: the first error is more useful.
      throw other.isFragile === true ? error : second;
    });
  }
}

function fallback(error: unknown, server: RemoteServer, usual: Route, sdk: Sdk): Route | undefined {
  if (!(error instanceof ServerGone)) return undefined;
  if (isUnsupported(error.cause)) return { ...usual, mode: { pin: NEWEST_VERSION } };
  if (server.transport !== 'http' || !NOT_STREAMABLE.includes(error.status ?? 0)) return undefined;
  const { url, init } = requestOptions(server);
  const transport = (): Transport => new sdk.SSEClientTransport(url, { requestInit: init });
  return { transport, mode: 'legacy', isFragile: true };
}

async function connectBy(route: Route, sdk: Sdk, connectMs: number): Promise<Connection> {
  const transport = route.transport();
  const client = new sdk.Client(
    { name: 'assay', version: '1.0.0' },
    { capabilities: {}, versionNegotiation: { mode: route.mode } },
  );
  let closed: string | undefined;
  const ending = (): string | undefined =>
    transport instanceof StdioTransport ? transport.ending : undefined;
  const close = (why: string): void => {
    closed ??= why;
    // The connection is discarded: errors while closing do not matter.
    void client.close().catch(() => undefined);
    void transport.close().catch(() => undefined);
  };
  client.onclose = () => {
    closed ??= 'closed the connection';
  };
  try {
    await within(connectMs, client.connect(transport, { timeout: NEVER_MS }), transport);
  } catch (error) {
    const hint = transport instanceof StdioTransport ? transport.hint : undefined;
    const why = ending() ?? failureReason(error);
    const gone = new ServerGone(hint === undefined ? why : `${why}; ${hint}`, {
      cause: error,
      status: httpStatus(error),
    });
    close('could not be reached');
    throw gone;
  }
  if (!(transport instanceof StdioTransport)) watch(client, route.isFragile === true, close);
  const isRefusal = (error: unknown): error is Error => error instanceof sdk.ProtocolError;
  const isAlive = (limitMs: number): Promise<boolean> =>
    ping(client, limitMs).then(
      () => true,
      (error: unknown) => isRefusal(error),
    );
  return { client, isRefusal, isAlive, reason: () => ending() ?? closed, close };
}

/** Adds a timeout: the SDK has none for opening a stream. */
async function within(limitMs: number, work: Promise<void>, transport: Transport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const garbage = transport instanceof StdioTransport ? transport.garbage : undefined;
      const printed = garbage === undefined ? '' : `; it printed: ${garbage}`;
      reject(new Error(`did not answer within ${String(limitMs / 1000)} s${printed}`));
    }, limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * In the SDK, calls never fail when their stream breaks because the server is gone. So after every error the
 * server is pinged; if it does not answer, the connection is closed and pending calls fail.
 */
function watch(client: Client, isFragile: boolean, close: (why: string) => void): void {
  let isAsking = false;
  client.onerror = (error) => {
    if (isFragile) close(failureReason(error));
    if (isFragile || isAsking) return;
    isAsking = true;
    ping(client, ALIVE_MS).then(
      () => (isAsking = false),
      (failure: unknown) => close(failureReason(failure)),
    );
  };
}

function ping(client: Client, limitMs: number): Promise<unknown> {
  const options = { timeout: limitMs };
  return client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options);
}

function createTransport(server: RemoteServer, sdk: Sdk): Transport {
  if (server.transport === 'stdio') return new StdioTransport(server, sdk.deserializeMessage);
  const { url, init } = requestOptions(server);
  return new sdk.StreamableHTTPClientTransport(url, { requestInit: init });
}

function requestOptions(server: Extract<RemoteServer, { transport: 'http' }>): {
  url: URL;
  init: RequestInit;
} {
  const url = new URL(server.url);
  const headers = new Headers();
  const credentials = extractBasicAuth(url);
  if (credentials !== undefined) headers.set('authorization', credentials);
  for (const [name, value] of Object.entries(server.headers)) headers.set(name, value);
  return { url, init: { headers: Object.fromEntries(headers) } };
}

/** The HTTP status of a failure, if it has one. */
export function httpStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('status' in error && typeof error.status === 'number') return error.status;
  // The SSE transport stores the status as `code`.
  return 'code' in error && typeof error.code === 'number' && error.code >= 400 ? error.code : undefined;
}

function isUnsupported(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === UNSUPPORTED_VERSION) return true;
  return httpStatus(error) === 400 && error.message.includes(String(UNSUPPORTED_VERSION));
}

/** The short reason of a failed call. */
export function failureReason(error: unknown): string {
  const status = httpStatus(error);
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const detail = cause instanceof Error && cause.message !== '' ? cause.message : code;
  const words = excerpt(detail === '' ? messageOf(error) : detail);
  return status === undefined ? words : `answered ${String(status)}: ${words.replace(SDK_PREFIX, '')}`;
}
