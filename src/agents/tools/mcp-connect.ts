// A tool server of its own process or machine: how to reach it comes in, a client that is connected goes out.

import type { Client, Transport, VersionNegotiationMode } from '@modelcontextprotocol/client';
import { messageOf } from '../../errors.ts';
import type { ToolServer, ToolTransport } from '../../model/tool-server.ts';
import { extractBasicAuth } from '../../secrets/basic-auth.ts';
import { excerpt } from '../../text/excerpt.ts';
import { StdioTransport } from './stdio-transport.ts';

export type RemoteServer = ToolServer & Exclude<ToolTransport, { transport: 'process' }>;

/** A server that answers. */
export type Connection = {
  client: Client;
  /** True for an error that is the server's answer. */
  isRefusal(error: unknown): error is Error;
  /** Why it is lost, once it is. */
  reason(): string | undefined;
  /** Whether it says something within so many milliseconds. */
  isAlive(limitMs: number): Promise<boolean>;
  /** Ends it; calls that wait for an answer fail. */
  close(reason: string): void;
};

/** Why a server cannot be used, and what HTTP called it. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
  readonly status: number | undefined;

  constructor(message: string, options: { cause?: unknown; status?: number | undefined } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status;
  }
}

type Sdk = typeof import('@modelcontextprotocol/client');
type Way = {
  transport: () => Transport;
  mode: VersionNegotiationMode;
  /** A failure of its stream loses the answers that are on their way. */
  isFragile?: boolean;
};

/** How long a call may take is the business of the deadline; this is the longest time a timer can wait. */
export const NEVER_MS = 2 ** 31 - 1;
/** A server that refuses older protocols says so with this code, in the answer or in the body of a refusal. */
const UNSUPPORTED_VERSION = -32022;
const NEWEST_VERSION = '2026-07-28';
/** Answers of servers that know only the older way over HTTP, with a stream that is opened first. */
const NOT_STREAMABLE = [400, 404, 405];
/** How long a server that may be gone has to show that it is not. */
const ALIVE_MS = 10_000;
/** What the SDK puts before the body of a refusal. */
const SDK_WORDS = /^(?:Error POSTing to endpoint|SSE error): /;

/**
 * Connects to a server: in the way most of them understand, else in the newest, else, over HTTP, in the oldest.
 * Throws ServerGone.
 */
export async function connect(
  server: RemoteServer,
  { connectMs }: { connectMs: number },
): Promise<Connection> {
  const sdk = await import('@modelcontextprotocol/client');
  const usual: Way = { transport: () => transportOf(server, sdk), mode: 'legacy' };
  try {
    return await connectBy(usual, sdk, connectMs);
  } catch (error) {
    const other = otherWay(error, server, usual, sdk);
    if (other === undefined) throw error;
    return await connectBy(other, sdk, connectMs).catch((second: unknown) => {
      // An address that is no tool server at all refuses both ways, and the first refusal says more.
      throw other.isFragile === true ? error : second;
    });
  }
}

function otherWay(error: unknown, server: RemoteServer, usual: Way, sdk: Sdk): Way | undefined {
  if (!(error instanceof ServerGone)) return undefined;
  if (isUnsupported(error.cause)) return { ...usual, mode: { pin: NEWEST_VERSION } };
  if (server.transport !== 'http' || !NOT_STREAMABLE.includes(error.status ?? 0)) return undefined;
  const { url, init } = requestOf(server);
  const transport = (): Transport => new sdk.SSEClientTransport(url, { requestInit: init });
  return { transport, mode: 'legacy', isFragile: true };
}

async function connectBy(way: Way, sdk: Sdk, connectMs: number): Promise<Connection> {
  const transport = way.transport();
  const client = new sdk.Client(
    { name: 'assay', version: '1.0.0' },
    { capabilities: {}, versionNegotiation: { mode: way.mode } },
  );
  let closed: string | undefined;
  const ending = (): string | undefined =>
    transport instanceof StdioTransport ? transport.ending : undefined;
  const close = (why: string): void => {
    closed ??= why;
    // It is forgotten; how its end goes is of no interest.
    void client.close().catch(() => undefined);
    void transport.close().catch(() => undefined);
  };
  client.onclose = () => {
    closed ??= 'closed the connection';
  };
  try {
    await within(connectMs, client.connect(transport, { timeout: NEVER_MS }), transport);
  } catch (error) {
    const gone = new ServerGone(ending() ?? reasonOf(error), { cause: error, status: statusOf(error) });
    close('could not be reached');
    throw gone;
  }
  if (!(transport instanceof StdioTransport)) watch(client, way.isFragile === true, close);
  const isRefusal = (error: unknown): error is Error => error instanceof sdk.ProtocolError;
  const isAlive = (limitMs: number): Promise<boolean> =>
    askForLife(client, limitMs).then(
      () => true,
      (error: unknown) => isRefusal(error),
    );
  return { client, isRefusal, isAlive, reason: () => ending() ?? closed, close };
}

/** Nothing in the SDK bounds how long a stream takes to open. */
async function within(limitMs: number, work: Promise<void>, transport: Transport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const garbage = transport instanceof StdioTransport ? transport.garbage : undefined;
      const said = garbage === undefined ? '' : `; it printed: ${garbage}`;
      reject(new Error(`did not answer within ${String(limitMs / 1000)} s${said}`));
    }, limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The SDK lets a call wait for ever whose stream broke because the server is gone. So whenever something breaks, the
 * server is asked whether it is still there; if not, everything that waits for it fails.
 */
function watch(client: Client, isFragile: boolean, close: (why: string) => void): void {
  let isAsking = false;
  client.onerror = (error) => {
    if (isFragile) close(reasonOf(error));
    if (isFragile || isAsking) return;
    isAsking = true;
    askForLife(client, ALIVE_MS).then(
      () => (isAsking = false),
      (failure: unknown) => close(reasonOf(failure)),
    );
  };
}

/** Asks for a sign of life. */
function askForLife(client: Client, limitMs: number): Promise<unknown> {
  const options = { timeout: limitMs };
  return client.getProtocolEra() === 'modern' ? client.discover(options) : client.ping(options);
}

function transportOf(server: RemoteServer, sdk: Sdk): Transport {
  if (server.transport === 'stdio') return new StdioTransport(server, sdk.deserializeMessage);
  const { url, init } = requestOf(server);
  return new sdk.StreamableHTTPClientTransport(url, { requestInit: init });
}

function requestOf(server: Extract<RemoteServer, { transport: 'http' }>): { url: URL; init: RequestInit } {
  const url = new URL(server.url);
  const headers = new Headers();
  const credentials = extractBasicAuth(url);
  if (credentials !== undefined) headers.set('authorization', credentials);
  for (const [name, value] of Object.entries(server.headers)) headers.set(name, value);
  return { url, init: { headers: Object.fromEntries(headers) } };
}

/** What HTTP called a failure, if it did. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('status' in error && typeof error.status === 'number') return error.status;
  // The older way over HTTP has it as its code.
  return 'code' in error && typeof error.code === 'number' && error.code >= 400 ? error.code : undefined;
}

function isUnsupported(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && error.code === UNSUPPORTED_VERSION) return true;
  return statusOf(error) === 400 && error.message.includes(String(UNSUPPORTED_VERSION));
}

/** Why there is no answer, in few words. */
export function reasonOf(error: unknown): string {
  const status = statusOf(error);
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const detail = cause instanceof Error && cause.message !== '' ? cause.message : code;
  const words = excerpt(detail === '' ? messageOf(error) : detail);
  return status === undefined ? words : `answered ${String(status)}: ${words.replace(SDK_WORDS, '')}`;
}
