// Detects connections made without `fetch` and `node:http`, which tapes cannot record.

import { Socket } from 'node:net';
import { currentTape } from '../platform/tape-scope.ts';
import { isInFlight } from './node-http.ts';

/** Reports every connection that does not belong to a recorded request to the tape of its attempt. */
export function watchConnections(): void {
  const { prototype } = Socket;
  // Called on sockets only, below.
  const live = Reflect.get(prototype, 'connect') as (this: Socket, ...args: unknown[]) => Socket;
  const connect = function (this: Socket, ...args: unknown[]): Socket {
    const tape = currentTape();
    const address = tape === undefined ? undefined : connectAddress(args);
    if (tape !== undefined && address !== undefined && !isInFlight(address)) {
      try {
        tape.connect(address);
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error));
        process.nextTick(() => this.destroy(reason));
        return this;
      }
    }
    return live.apply(this, args);
  };
  Object.defineProperty(prototype, 'connect', { value: connect, configurable: true, writable: true });
}

/** `host:port`; undefined for a local socket file. */
function connectAddress(args: readonly unknown[]): string | undefined {
  // Node internally passes the arguments as one list.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  if (typeof first === 'object' && first !== null) {
    const { port, host, path } = first as { port?: unknown; host?: unknown; path?: unknown };
    if (path !== undefined && path !== null && (port === undefined || port === null)) return undefined;
    return `${typeof host === 'string' ? host : 'localhost'}:${String(port)}`;
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return undefined;
  return `${typeof second === 'string' ? second : 'localhost'}:${String(first)}`;
}
