// Access control: only pages of this server may send requests, and only with the token for anything but reading.
//
// Any page in the user's browser can send requests to a port of this machine. The Host header reveals a page whose name was made
// to point here (DNS rebinding), the Origin header any other; none of them knows the token.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isObject } from '../json/is-object.ts';
import { ApiError } from './api-error.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_HEADERS = 100;

/** Rejects requests of other pages, and requests to another host name. */
export function rejectForeignRequests({ headers, rawHeaders, url }: IncomingMessage, port: number): void {
  if (rawHeaders.length > 2 * MAX_HEADERS) throw new ApiError(431, 'the request has too many headers');
  // Browsers omit the default port.
  const ends = port === 80 ? [':80', ''] : [`:${String(port)}`];
  const hosts = ends.flatMap((end) => [`127.0.0.1${end}`, `localhost${end}`]);
  if (!hosts.includes(headers.host?.toLowerCase() ?? ''))
    throw new ApiError(403, 'unexpected host name', {
      hint: `open it as http://127.0.0.1:${String(port)}/`,
    });
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin.toLowerCase() === `http://${host}`))
    throw new ApiError(403, 'requests from other pages are rejected');
  // Browsers send this header even without an Origin. Links to the page itself may come from anywhere.
  const site = headers['sec-fetch-site'];
  const isOther = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isOther && url?.startsWith('/api') === true)
    throw new ApiError(403, 'requests from other pages are rejected');
}

/** True if the request has the token. Compares hashes, so that neither time nor length reveals anything about it. */
export function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

/** Reads the JSON object in the body. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const { headers } = request;
  if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? ''))
    throw new ApiError(415, 'expected Content-Type: application/json');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError(415, 'expected a body without Content-Encoding');
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    // Safe: a request without an encoding yields buffers.
    const buffer = chunk as Buffer;
    bytes += buffer.length;
    if (bytes > MAX_BYTES) throw tooLarge();
    chunks.push(buffer);
  }
  const body = parseBody(Buffer.concat(chunks));
  if (!isObject(body)) throw new ApiError(400, 'expected a JSON object');
  return body;
}

function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new ApiError(400, 'the body is not JSON');
  }
}

function tooLarge(): ApiError {
  return new ApiError(413, `the body is larger than ${String(MAX_BYTES)} bytes`);
}
