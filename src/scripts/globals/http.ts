// `http.Get(url)`: synchronous requests, as scripts of synchronous runtimes expect.

import { messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { WireRequest } from '../../platform/tape-scope.ts';
import { currentTape } from '../../platform/tape-scope.ts';
import { secretsInRequest } from '../../secrets/secrets.ts';
import { buildRequest } from './http-request.ts';
import type { PlainRequest, RequestParts } from './http-request.ts';
import { sendBlocking } from './http-thread.ts';
import type { ThreadAnswer } from './http-thread.ts';

/** Without a response, status and code are 0 and the message says why. */
type HttpResponse = {
  status: number;
  code: number;
  data: unknown;
  headers: Record<string, string[]>;
  message: string;
};

type Url = string;
type Http = {
  Delete(url: Url, payload?: unknown, query?: unknown, headers?: unknown): HttpResponse;
  Get(url: Url, query?: unknown, headers?: unknown): HttpResponse;
  Head(url: Url, query?: unknown, headers?: unknown): HttpResponse;
  Patch(url: Url, payload?: unknown, query?: unknown, headers?: unknown): HttpResponse;
  Post(url: Url, payload?: unknown, files?: unknown, query?: unknown, headers?: unknown): HttpResponse;
  Put(url: Url, payload?: unknown, query?: unknown, headers?: unknown): HttpResponse;
  Send(
    method: string,
    url: Url,
    payload?: unknown,
    query?: unknown,
    headers?: unknown,
    files?: unknown,
  ): HttpResponse;
};

const LIMIT_MS = 30_000;

/** Paths of files to send are relative to `root`; `limitMs` is the timeout of a request. */
export function createHttp({ root, limitMs = LIMIT_MS }: { root: string; limitMs?: number }): Http {
  const send = (parts: RequestParts): HttpResponse => {
    try {
      const request = buildRequest(parts, { root });
      const live = (): ThreadAnswer => sendBlocking(request, { limitMs });
      return toResponse(currentTape()?.sendBlocking(toWire(request), live) ?? live());
    } catch (error) {
      return noAnswer(messageOf(error));
    }
  };
  return {
    Delete: (url, payload, query, headers) => send({ method: 'DELETE', url, payload, query, headers }),
    Get: (url, query, headers) => send({ method: 'GET', url, query, headers }),
    Head: (url, query, headers) => send({ method: 'HEAD', url, query, headers }),
    Patch: (url, payload, query, headers) => send({ method: 'PATCH', url, payload, query, headers }),
    Post: (url, payload, files, query, headers) =>
      send({ method: 'POST', url, payload, files, query, headers }),
    Put: (url, payload, query, headers) => send({ method: 'PUT', url, payload, query, headers }),
    Send: (method, url, payload, query, headers, files) =>
      send({ method, url, payload, query, headers, files }),
  };
}

function toWire({ method, url, headers, body, form }: PlainRequest): WireRequest {
  const secrets = secretsInRequest(headers, url);
  if (form === undefined) return { method, url, body, ...secrets };
  const parts = form.map((part) =>
    'bytes' in part ? { ...part, bytes: Buffer.from(part.bytes).toString('base64') } : part,
  );
  return { method, url, body: JSON.stringify(parts), ...secrets };
}

function toResponse(answer: ThreadAnswer): HttpResponse {
  if ('problem' in answer) return noAnswer(answer.problem);
  const { status, text } = answer;
  const headers = canonicalHeaders(answer.headers);
  return { status, code: status, headers, ...readBody(text, headers['Content-Type']?.[0] ?? '') };
}

function noAnswer(message: string): HttpResponse {
  return { status: 0, code: 0, data: null, headers: {}, message };
}

/** Parses JSON; its `message` field, if there is one, becomes the message. */
function readBody(text: string, contentType: string): { data: unknown; message: string } {
  if (text === '') return { data: null, message: '' };
  if (!/^\s*[\w.+-]+\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return { data: text, message: '' };
  try {
    const data: unknown = JSON.parse(text);
    const message = isObject(data) && typeof data['message'] === 'string' ? data['message'] : '';
    return { data, message };
  } catch (error) {
    return { data: text, message: `the answer is not JSON: ${messageOf(error)}` };
  }
}

/** Writes names as in `Content-Type`, because scripts look them up so. */
function canonicalHeaders(entries: [string, string][]): Record<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const canonical = name.toLowerCase().replace(/(?<![^-])[a-z]/g, (letter) => letter.toUpperCase());
    headers.set(canonical, [...(headers.get(canonical) ?? []), value]);
  }
  return Object.fromEntries(headers);
}
