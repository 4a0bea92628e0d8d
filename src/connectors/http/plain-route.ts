// How requests to one target are written on the wire; made once.

import type { PostTarget } from './http-exchange.ts';

export type PlainRoute = {
  host: string;
  port: number;
  /** The request before the length of its body. */
  head: string;
};

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const FORBIDDEN = /[^\t\u0020-\u007e\u0080-\u00ff]/;

/** Says what bodies have in front of them. Throws at what could end a header before its time. */
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
  // Only the sender knows the form and length of the body.
  fields.delete('transfer-encoding');
  fields.delete('content-length');
  const lines = [...fields].map(([name, value]) => `${name}: ${value}\r\n`);
  return { host: hostname, port, head: `POST ${path} HTTP/1.1\r\n${lines.join('')}` };
}

/** A request as it is sent, in one piece. */
export function plainRequest({ head }: PlainRoute, body: string): string {
  return `${head}content-length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;
}
