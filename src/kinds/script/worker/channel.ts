// The worker's end of the channel, out of reach of what tests do to Node's classes and handles.

import { Socket } from 'node:net';
import { CHANNEL_FD } from '../../../execute/process/protocol.ts';

/** Opens the channel to the coordinator. */
export function openChannel(): Socket {
  const channel = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  keepMethods(channel);
  hide(channel);
  return channel;
}

/** Makes inherited methods own ones: tests may replace those of the classes. */
function keepMethods(object: object): void {
  const inherited: object | null = Object.getPrototypeOf(object) as object | null;
  for (let from = inherited; from !== null; from = Object.getPrototypeOf(from) as object | null) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(from)))
      if (typeof value === 'function' && name !== 'constructor' && !Object.hasOwn(object, name))
        Object.defineProperty(object, name, { value, configurable: true, writable: true });
  }
}

/** Tests that end all open handles of the process do not end the channel. */
function hide(channel: Socket): void {
  // Not part of the types, because Node does not document it.
  const holder = process as unknown as { _getActiveHandles(): unknown[] };
  const list = holder._getActiveHandles;
  holder._getActiveHandles = () => list().filter((handle) => handle !== channel);
}
