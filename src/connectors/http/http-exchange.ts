// Types of a request and its response that plain HTTP and HTTPS share.

import type { ResponseListener as TrafficListener } from '../../platform/tape-scope.ts';

export type { Sending } from '../../platform/tape-scope.ts';

/** Where the requests of a connector go. */
export type PostTarget = {
  isSecure: boolean;
  hostname: string;
  port: number;
  path: string;
  headers: Record<string, string>;
};

/** Receives a response over a kept-alive connection. */
export type ResponseListener = TrafficListener & {
  /** Called after a chunk that does not end the response. */
  wait(): void;
};

/** The server sent something that is not HTTP. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** The connection ended before the response. */
export function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}
