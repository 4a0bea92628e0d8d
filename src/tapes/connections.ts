// Connections that are made past `fetch` and `node:http`: no tape can hold them, so that they must not go unnoticed.

import { Socket } from 'node:net';
import { currentTape } from '../platform/tape-scope.ts';
import { isUnderWay } from './node-http.ts';

/** From now on, an attempt's tape is told of every connection that is not a recorded request. */
export function watchConnections(): void {
  const { prototype } = Socket;
  // It is called on sockets only, below.
  const live = Reflect.get(prototype, 'connect') as (this: Socket, ...args: unknown[]) => Socket;
  const connect = function (this: Socket, ...args: unknown[]): Socket {
    const tape = currentTape();
    const address = tape === undefined ? undefined : addressOf(args);
    if (tape !== undefined && address !== undefined && !isUnderWay(address)) {
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

/** `host:port`; nothing for a socket file, which is on this machine. */
function addressOf(args: readonly unknown[]): string | undefined {
  // Node itself calls it with the arguments in a list.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  if (typeof first === 'object' && first !== null) {
    const { port, host, path } = first as { port?: unknown; host?: unknown; path?: unknown };
    if (path !== undefined && path !== null && (port === undefined || port === null)) return undefined;
    return `${typeof host === 'string' ? host : 'localhost'}:${String(port)}`;
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return undefined;
  return `${typeof second === 'string' ? second : 'localhost'}:${String(first)}`;
}
