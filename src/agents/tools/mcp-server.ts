// A tool server of its own process or machine: connected on first use, shared by everything in this process.

import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { AttemptError } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { raceSignal } from '../../platform/race.ts';
import { askTaped } from '../../platform/tape-scope.ts';
import type { Connection, RemoteServer } from './mcp-connect.ts';
import { connect, NEVER_MS, reasonOf, ServerGone, statusOf } from './mcp-connect.ts';
import { answerOf, noObject } from './tool-result.ts';
import type { ToolAnswer } from './toolbox.ts';

type Limits = { connectMs: number; aliveMs: number };

/** Long enough for a program that is downloaded first, short enough to be told from a model that takes its time. */
const LIMITS: Limits = { connectMs: 30_000, aliveMs: 1000 };

/** Answers of a server over HTTP that has forgotten the session; the next question begins a new one. */
const SESSION_LOST = [400, 404];

/** Servers of this process by everything that makes them what they are; it lives no longer than a run. */
const servers = new Map<string, McpServer>();

/** The server in this process; nothing is started before it is asked something. */
export function mcpServer(server: RemoteServer): McpServer {
  const key = JSON.stringify({ ...server, only: undefined });
  const known = servers.get(key) ?? new McpServer(server);
  servers.set(key, known);
  return known;
}

/** One server and its connection; a connection that is lost is made again by the next question. */
export class McpServer {
  readonly #server: RemoteServer;
  readonly #limits: Limits;
  #connecting: Promise<Connection> | undefined;
  #listing: Promise<ServerTool[]> | undefined;
  /** Is over when it is known whether a server that has not answered is still there. */
  #doubt: Promise<void> | undefined;

  constructor(server: RemoteServer, limits: Partial<Limits> = {}) {
    this.#server = server;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** All tools of the server. Throws AttemptError. */
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
    if (!isObject(given)) return { error: noObject(given) };
    try {
      return await raceSignal(this.#call(name, given, signal), signal);
    } catch (error) {
      if (signal.aborted) this.#doubtIt();
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
    await this.#doubt;
    const connection = await this.#connection();
    const { client } = connection;
    // The SDK prints a line if a server without tools is asked for them.
    if (client.getServerCapabilities()?.tools === undefined) return [];
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      this.#listing = undefined;
    });
    const options = { timeout: this.#limits.connectMs };
    const { tools } = await ask(connection, () => client.listTools(undefined, options));
    return tools;
  }

  async #call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer> {
    await this.#doubt;
    const connection = await this.#connection();
    signal.throwIfAborted();
    const { client, isRefusal } = connection;
    const options = { signal, timeout: NEVER_MS };
    try {
      return answerOf(await ask(connection, () => client.callTool({ name, arguments: args }, options)));
    } catch (error) {
      // An unknown tool, arguments it does not take: the model may do better.
      if (isRefusal(error)) return { error: error.message };
      throw error;
    }
  }

  /** The connection that is there, or is being made, or a new one; it belongs to no attempt, so none can abort it. */
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

  /** A server that hangs in one call would take all later ones along; one that does not answer any more is started again. */
  #doubtIt(): void {
    const connecting = this.#connecting;
    if (connecting === undefined || this.#doubt !== undefined) return;
    const check = async (): Promise<void> => {
      const connection = await connecting;
      if (await connection.isAlive(this.#limits.aliveMs)) return;
      connection.close('did not answer any more');
      this.#forget(connecting);
    };
    this.#doubt = check()
      .catch(() => undefined)
      .finally(() => {
        this.#doubt = undefined;
      });
  }

  #forget(connecting: Promise<Connection>): void {
    if (this.#connecting !== connecting) return;
    this.#connecting = undefined;
    this.#listing = undefined;
  }

  #failure(error: unknown): AttemptError {
    const status = error instanceof ServerGone ? error.status : statusOf(error);
    const reason = error instanceof ServerGone ? error.message : reasonOf(error);
    const code = status === 401 || status === 403 ? 'auth' : status === 429 ? 'rate_limit' : 'connection';
    return new AttemptError(code, `tool server ${this.#server.id}: ${reason}`, { cause: error });
  }
}

/** Asks a server something. Throws ServerGone if it was lost meanwhile. */
async function ask<T>(connection: Connection, question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (error) {
    if (connection.isRefusal(error)) throw error;
    const reason = connection.reason();
    if (reason !== undefined) throw new ServerGone(reason, { cause: error });
    if (SESSION_LOST.includes(statusOf(error) ?? 0)) connection.close(reasonOf(error));
    throw error;
  }
}
