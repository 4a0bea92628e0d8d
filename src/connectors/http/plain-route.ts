// The serialised head of requests to one target, built once.

import type { PostTarget } from './http-exchange.ts';

export type PlainRoute = {
  host: string;
  port: number;
  /** The head up to the content-length. */
  head: string;
};

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const FORBIDDEN = /[^\t\u0020-\u007e\u0080-\u00ff]/;

/** Builds the head. Throws on characters that could inject a header. */
export function plainRoute({ hostname, port, path, headers }: PostTarget): PlainRoute {
  const address = hostname.includes(':') ? `[${hostname}]` : hostname;
  const fields = new Map([
    ['host', port === 80 ? address : `${address}:${String(port)}`],
    ['connection', 'keep-alive'],
  ]);
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name)) throw new TypeError(`Header name must be a valid HTTP token ["${name}"]`);
    if (FORBIDDEN.test(value)) throw new TypeError(`Invalid character in header content ["${name}"]`);
    fields.set(name.toLowerCase(), value);
  }
  // These two are set per request.
  fields.delete('transfer-encoding');
  fields.delete('content-length');
  const lines = [...fields].map(([name, value]) => `${name}: ${value}\r\n`);
  return { host: hostname, port, head: `POST ${path} HTTP/1.1\r\n${lines.join('')}` };
}

/** The whole request, for a single write. */
export function plainRequest({ head }: PlainRoute, body: string): string {
  return `${head}content-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;
}
