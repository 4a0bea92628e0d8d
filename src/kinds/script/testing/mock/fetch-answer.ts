// What a test answers a request with, as a Response.

import { isObject } from '../../../../json/is-object.ts';
import { isError } from '../assertions/show.ts';

/** What `{ status, body, headers }` may have; with anything else it is JSON like any other object. */
const PARTS = new Set(['status', 'statusText', 'body', 'headers']);

/** A Response of the realm; an Error is thrown, because then the request fails. */
export function answerWith(answer: unknown, url: string, realm: Record<string, unknown>): Response {
  // An error is thrown as it was given: the code under test may look for its class.
  if (isError(answer)) throw answer;
  if (answer === undefined) throw new TypeError(`t.mock.fetch: no answer to ${url}`);
  const response = isResponse(answer) ? answer.clone() : makeResponse(answer, realm);
  // One that was made and not fetched has no URL.
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  return response;
}

function makeResponse(answer: unknown, realm: Record<string, unknown>): Response {
  // Node's own, unless the realm has another; the cast says what a global of this name is.
  const Made = typeof realm['Response'] === 'function' ? (realm['Response'] as typeof Response) : Response;
  const { body, ...options } = isSpecified(answer) ? answer : { body: answer, status: 200 };
  const isText = typeof body === 'string';
  const headers = new Headers(options.headers);
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', isText ? 'text/plain;charset=UTF-8' : 'application/json');
  }
  return new Made(bodyText(body), { ...options, headers });
}

/** No body at all, so that a status that must not have one can be answered with. */
function bodyText(body: unknown): string | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

type Specified = { status: number; statusText?: string; body?: unknown; headers?: Record<string, string> };

function isSpecified(answer: unknown): answer is Specified {
  if (!isObject(answer) || typeof answer['status'] !== 'number') return false;
  return Object.keys(answer).every((key) => PARTS.has(key));
}

function isResponse(answer: unknown): answer is Response {
  return isObject(answer) && Object.prototype.toString.call(answer) === '[object Response]';
}
