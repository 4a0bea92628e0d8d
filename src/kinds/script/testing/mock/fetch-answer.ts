// Turns a test's answer to a request into a Response.

import { isObject } from '../../../../json/is-object.ts';
import { isError } from '../assertions/show.ts';

/** The keys of an answer `{ status, body, headers }`; an object with other keys is a JSON body. */
const PARTS = new Set(['status', 'statusText', 'body', 'headers']);

/** Creates a Response of the realm. An Error as answer is thrown, so that the request fails. */
export function answerWith(answer: unknown, url: string, realm: Record<string, unknown>): Response {
  // Thrown unchanged: the code under test may check its class.
  if (isError(answer)) throw answer;
  if (answer === undefined) throw new TypeError(`t.mock.fetch: no answer to ${url}`);
  const response = isResponse(answer) ? answer.clone() : makeResponse(answer, realm);
  // A constructed Response has no URL.
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  return response;
}

function makeResponse(answer: unknown, realm: Record<string, unknown>): Response {
  // Prefer the Response of the realm; the cast is safe for a global of this name.
  const RealmResponse =
    typeof realm['Response'] === 'function' ? (realm['Response'] as typeof Response) : Response;
  const { body, ...options } = isSpecified(answer) ? answer : { body: answer, status: 200 };
  const isText = typeof body === 'string';
  const headers = new Headers(options.headers);
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', isText ? 'text/plain;charset=UTF-8' : 'application/json');
  }
  return new RealmResponse(bodyText(body), { ...options, headers });
}

/** Null for no body: some statuses must not have one. */
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
