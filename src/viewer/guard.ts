// Who may ask: only pages of this server, and for anything but reading only who has the token.
//
// Any page in the user's browser can send requests to a port of this machine. A page whose name was made to point here (DNS rebinding)
// gives itself away by its Host, any other by its Origin; none of them knows the token.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isObject } from '../json/is-object.ts';
import { ApiError } from './api-error.ts';

const MOST_BYTES = 1024 * 1024;

/** Refuses what another page or another name has sent. */
export function refuseOthers({ headers, url }: IncomingMessage, port: number): void {
  // Browsers leave out the usual port.
  const ends = port === 80 ? [':80', ''] : [`:${String(port)}`];
  const hosts = ends.flatMap((end) => [`127.0.0.1${end}`, `localhost${end}`]);
  if (!hosts.includes(headers.host?.toLowerCase() ?? ''))
    throw new ApiError(403, 'this server has another name', {
      hint: `open it as http://127.0.0.1:${String(port)}/`,
    });
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin.toLowerCase() === `http://${host}`))
    throw new ApiError(403, 'requests of other pages are refused');
  // Browsers tell it even where they send no Origin. A link to the page itself may be anywhere.
  const site = headers['sec-fetch-site'];
  const isOther = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isOther && url?.startsWith('/api') === true)
    throw new ApiError(403, 'requests of other pages are refused');
}

/** True if the request has the token. Hashes are compared, so that neither time nor length tells anything of it. */
export function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

/** The JSON object that was sent. */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const { headers } = request;
  if (!/^application\/json *(;|$)/i.test(headers['content-type'] ?? ''))
    throw new ApiError(415, 'expected Content-Type: application/json');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new ApiError(415, 'expected a body without Content-Encoding');
  if (Number(headers['content-length'] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    // A cast, because a request without an encoding gives buffers.
    const buffer = chunk as Buffer;
    bytes += buffer.length;
    if (bytes > MOST_BYTES) throw tooLarge();
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
  return new ApiError(413, `the body is larger than ${String(MOST_BYTES)} bytes`);
}
