// A tool server in another process or on another machine: connected on first use, shared by all attempts of a worker.

import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { raceSignal } from '../../platform/race.ts';
import { askTaped } from '../../platform/tape-scope.ts';
import type { Connection, RemoteServer } from './mcp-connect.ts';
import { connect, NEVER_MS, failureReason, ServerGone, httpStatus } from './mcp-connect.ts';
import { toToolAnswer, notAnObjectMessage } from './tool-result.ts';
import type { ToolAnswer } from './toolbox.ts';

type Limits = { connectMs: number; aliveMs: number };

/** `connectMs` allows for a program that is downloaded first. */
const LIMITS: Limits = { connectMs: 30_000, aliveMs: 1000 };

/** Statuses of an HTTP server that lost the session: the next request starts a new one. */
const SESSION_LOST = [400, 404];

/** Servers of this process, keyed by their whole definition. */
const servers = new Map<string, McpServer>();

/** The shared instance of a server; it starts on first use. */
export function mcpServer(server: RemoteServer): McpServer {
  const key = JSON.stringify({ ...server, only: undefined });
  const known = servers.get(key) ?? new McpServer(server);
  servers.set(key, known);
  return known;
}

/** One server and its connection; after a loss the next request reconnects. */
export class McpServer {
  readonly #server: RemoteServer;
  readonly #limits: Limits;
  #connecting: Promise<Connection> | undefined;
  #listing: Promise<ServerTool[]> | undefined;
  /** Settles when the ping after an unanswered request is decided. */
  #aliveCheck: Promise<void> | undefined;

  constructor(server: RemoteServer, limits: Partial<Limits> = {}) {
    this.#server = server;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Lists all tools. Throws AttemptError. */
  tools(signal: AbortSignal): Promise<ServerTool[]> {
    return askTaped(
      () => ({ to: `tool server ${this.#server.id}`, method: 'tools/list', params: {} }),
      () => this.#askTools(signal),
    );
  }

  /** Calls a tool. Throws AttemptError if the server is gone. */
  call(name: string, args: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    return askTaped(
      () => ({
        to: `tool server ${this.#server.id}`,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
      () => this.#askTool(name, args, signal),
    );
  }

  /** Asks for something else than tools. Throws AttemptError; a refusal of the server is one of the agent. */
  async ask<T>(question: (client: Connection['client']) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      await this.#aliveCheck;
      const connection = await this.#connection();
      return await raceSignal(
        ask(connection, () => question(connection.client)).catch((error: unknown) => {
          throw connection.isRefusal(error) ? new AttemptError('agent', error.message) : error;
        }),
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof AttemptError ? error : this.#failure(error);
    }
  }

  async #askTools(signal: AbortSignal): Promise<ServerTool[]> {
    signal.throwIfAborted();
    try {
      return await raceSignal(this.#tools(), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#failure(error);
    }
  }

  async #askTool(name: string, args: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    signal.throwIfAborted();
    const given: unknown = args ?? {};
    if (!isObject(given)) return { error: notAnObjectMessage(given) };
    try {
      return await raceSignal(this.#call(name, given, signal), signal);
    } catch (error) {
      if (signal.aborted) this.#checkAlive();
      signal.throwIfAborted();
      throw this.#failure(error);
    }
  }

  #tools(): Promise<ServerTool[]> {
    if (this.#listing !== undefined) return this.#listing;
    const listing = this.#list();
    this.#listing = listing;
    listing.catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
    });
    return listing;
  }

  async #list(): Promise<ServerTool[]> {
    await this.#aliveCheck;
    const connection = await this.#connection();
    const { client } = connection;
    // The SDK prints a warning if a server without tools is asked for them.
    if (client.getServerCapabilities()?.tools === undefined) return [];
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      this.#listing = undefined;
    });
    const options = { timeout: this.#limits.connectMs };
    const { tools } = await ask(connection, () => client.listTools(undefined, options));
    return tools;
  }

  async #call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer> {
    await this.#aliveCheck;
    const connection = await this.#connection();
    signal.throwIfAborted();
    const { client, isRefusal } = connection;
    const options = { signal, timeout: NEVER_MS };
    try {
      return toToolAnswer(await ask(connection, () => client.callTool({ name, arguments: args }, options)));
    } catch (error) {
      // An unknown tool or invalid arguments: the model may correct itself.
      if (isRefusal(error)) return { error: error.message };
      throw error;
    }
  }

  /** The current connection, also a pending one, or a new one. No attempt can abort it, because all share it. */
  #connection(): Promise<Connection> {
    if (this.#connecting !== undefined) return this.#connecting;
    const connecting = connect(this.#server, this.#limits);
    this.#connecting = connecting;
    connecting.then(
      ({ client, reason }) => {
        const closed = client.onclose;
        client.onclose = () => {
          closed?.();
          this.#forget(connecting);
        };
        if (reason() !== undefined) this.#forget(connecting);
      },
      () => this.#forget(connecting),
    );
    return connecting;
  }

  /** Pings a server that hangs in a call. If it does not answer, its connection is closed, so that later calls reconnect. */
  #checkAlive(): void {
    const connecting = this.#connecting;
    if (connecting === undefined || this.#aliveCheck !== undefined) return;
    const check = async (): Promise<void> => {
      const connection = await connecting;
      if (await connection.isAlive(this.#limits.aliveMs)) return;
      connection.close('stopped answering');
      this.#forget(connecting);
    };
    this.#aliveCheck = check()
      .catch(() => undefined)
      .finally(() => {
        this.#aliveCheck = undefined;
      });
  }

  #forget(connecting: Promise<Connection>): void {
    if (this.#connecting !== connecting) return;
    this.#connecting = undefined;
    this.#listing = undefined;
  }

  #failure(error: unknown): AttemptError {
    const status = error instanceof ServerGone ? error.status : httpStatus(error);
    const reason = error instanceof ServerGone ? error.message : failureReason(error);
    const code = status === 401 || status === 403 ? 'auth' : status === 429 ? 'rate_limit' : 'connection';
    return new AttemptError(code, `tool server ${this.#server.id}: ${reason}`, { cause: error });
  }
}

/** Sends a request. Throws ServerGone if the connection is lost meanwhile. */
async function ask<T>(connection: Connection, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (connection.isRefusal(error)) throw error;
    const reason = connection.reason();
    if (reason !== undefined) throw new ServerGone(reason, { cause: error });
    if (SESSION_LOST.includes(httpStatus(error) ?? 0)) connection.close(failureReason(error));
    throw error;
  }
}
