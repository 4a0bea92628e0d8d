// Limits connections: of too many, the server closes those that wait, so that a new one always finds a place.

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const MAX_CONNECTIONS = 200;
/** Longer than any handler takes, and than the pause between two heartbeats of a stream. */
const SILENCE_MS = 120_000;

export const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/** Closes the connection that matters least whenever there are too many. */
export function limitConnections(server: Server): void {
  /** Every connection with its unfinished response; the one that waits the longest comes first. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  server.setTimeout(SILENCE_MS);
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once('close', () => connections.delete(socket));
    if (connections.size > MAX_CONNECTIONS) leastImportant(connections)?.destroy();
  });
  server.on('request', ({ socket }, response) => {
    moveToEnd(socket, response);
    response.once('close', () => moveToEnd(socket, undefined));
  });

  function moveToEnd(socket: Socket, response: ServerResponse | undefined): void {
    if (connections.delete(socket)) connections.set(socket, response);
  }
}

/** One without a complete request goes first, then one whose client does not read the answer. */
function leastImportant(connections: ReadonlyMap<Socket, ServerResponse | undefined>): Socket | undefined {
  const all = [...connections];
  const [socket] =
    all.find(([, response]) => response === undefined) ??
    all.find(([, response]) => response?.writableEnded === true) ??
    all[0] ??
    [];
  return socket;
}
