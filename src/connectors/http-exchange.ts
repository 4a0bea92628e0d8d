// The words of one request and its response, whichever way they travel.

import type { HeaderFields } from './failure.ts';

/** Where requests of one connector go, as plain data. */
export type PostTarget = {
  isSecure: boolean;
  hostname: string;
  port: number;
  path: string;
  headers: Record<string, string>;
};

/** Hears of a response: `head`, any number of `data`, `end`; or `fail` if there is no head. */
export type ResponseListener = {
  head(status: number, headers: HeaderFields): void;
  data(text: string): void;
  /** What has arrived is told, and the end is not among it. */
  wait(): void;
  end(isComplete: boolean): void;
  fail(error: Error): void;
};

/** A request under way; one that is cancelled is not heard of again, and its connection is gone. */
export type Sending = { cancel(): void };

/** The other side sent what is no HTTP. */
export class MalformedResponse extends Error {
  override readonly name = 'MalformedResponse';
}

/** The connection ended before the answer. */
export function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}
