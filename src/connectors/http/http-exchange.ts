// The words of one request and its response, whichever way they travel.

import type { ResponseListener as TrafficListener } from '../../platform/tape-scope.ts';

export type { Sending } from '../../platform/tape-scope.ts';

/** Where requests of one connector go, as plain data. */
export type PostTarget = {
  isSecure: boolean;
  hostname: string;
  port: number;
  path: string;
  headers: Record<string, string>;
};

/** Hears of a response over a connection that is kept. */
export type ResponseListener = TrafficListener & {
  /** What has arrived is told, and the end is not among it. */
  wait(): void;
};

/** The other side sent what is no HTTP. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** The connection ended before the answer. */
export function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}
