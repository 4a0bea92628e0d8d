import { expect, test } from 'vitest';
import { frameworkFailure, functionFailure, noteModelError } from './failure.ts';

class APIError extends Error {
  constructor(status: number | undefined, message: string, fields: object = {}) {
    super(message);
    Object.assign(this, { status }, fields);
  }
}
class APIConnectionError extends APIError {}
class RateLimitError extends APIError {}

function apiCallError(fields: object, message = 'not today'): Error {
  return Object.assign(new Error(message), { name: 'AI_APICallError', ...fields });
}

function refused(): Error {
  const socket = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  return Object.assign(new TypeError('fetch failed'), { cause: socket });
}

function told(error: unknown) {
  const { code, message, retryAfterMs, isFinal } = frameworkFailure(error);
  return { code, message, retryAfterMs, isFinal };
}

function shortly(error: unknown): string {
  const { code, message } = told(error);
  return `${code}: ${message}`;
}

test('a model that refuses, with what it asks for', () => {
  const body = JSON.stringify({ error: { message: 'slow down' } });
  const limited = apiCallError({
    statusCode: 429,
    responseBody: body,
    responseHeaders: { 'retry-after': '7' },
  });
  expect(told(limited)).toEqual({
    code: 'rate_limit',
    message: 'the model answered 429: slow down',
    retryAfterMs: 7000,
    isFinal: false,
  });
  const unpaid = new RateLimitError(429, '429 pay first', {
    error: { message: 'pay first', code: 'insufficient_quota' },
    headers: new Headers({ 'retry-after-ms': '5' }),
  });
  expect(told(unpaid)).toEqual({
    code: 'rate_limit',
    message: 'the model answered 429: pay first',
    retryAfterMs: 5,
    isFinal: true,
  });
});

test.each([
  ['auth: the model answered 401: not today', apiCallError({ statusCode: 401 })],
  ['auth: the model answered 403: no', new APIError(403, 'no')],
  ['connection: the model answered 503: not today', apiCallError({ statusCode: 503 })],
  [
    'connection: the model answered 500: not today',
    Object.assign(new Error('Failed after 3 attempts'), {
      name: 'AI_RetryError',
      lastError: apiCallError({ statusCode: 500 }),
    }),
  ],
  [
    'auth: the model answered 401: wrong key See the page',
    Object.assign(new Error('wrong key\n\nSee the page\n'), {
      lc_error_code: 'MODEL_AUTHENTICATION',
      status: 401,
    }),
  ],
  [
    'connection: the model cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    new APIConnectionError(undefined, 'Connection error.', { cause: refused() }),
  ],
  [
    'connection: the model cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
    apiCallError({ cause: refused() }, 'Cannot connect to API: '),
  ],
  ['agent: not today', apiCallError({ statusCode: 400 })],
  ['agent: Request was aborted.', new APIError(undefined, 'Request was aborted.')],
  // Neither of them says that it was a model.
  ['agent: fetch failed', refused()],
  ['agent: gone', Object.assign(new Error('gone'), { status: 503 })],
  ['agent: text', 'text'],
])('%s', (words, error) => {
  expect(shortly(error)).toBe(words);
});

test('any error is of a model if the framework says so', () => {
  const error = Object.assign(new Error('overloaded'), { response: { status: 529 } });
  noteModelError(error);
  expect(shortly(new Error('wrapped', { cause: error }))).toBe(
    'connection: the model answered 529: overloaded',
  );
  const cut = refused();
  noteModelError(cut);
  expect(shortly(cut)).toBe('connection: the model cannot be reached: connect ECONNREFUSED 127.0.0.1:1');
});

test('errors that lead to themselves come to an end', () => {
  const error = new Error('round');
  error.cause = error;
  expect(shortly(error)).toBe('agent: round');
});

/** The classes of a client as its generator writes them: every error has these fields, known or not. */
class OpenAIError extends Error {}
class ClientError extends OpenAIError {
  readonly headers: Headers | undefined;
  readonly error: unknown;
  readonly status: number | undefined;
  constructor(status: number | undefined, error?: { message?: string; type?: string }, headers?: Headers) {
    super(`${String(status)} ${error?.message ?? 'Connection error.'}`);
    this.status = status;
    this.headers = headers;
    this.error = error;
  }
}
const { APIConnectionTimeoutError } = {
  APIConnectionTimeoutError: class APIConnectionTimeoutError extends ClientError {},
};

function marked(fields: object): Error {
  return Object.assign(apiCallError(fields), { [Symbol.for('vercel.ai.error')]: true });
}

test.each<[string, unknown]>([
  ['rate_limit: the model answered 429: slow down', new ClientError(429, { message: 'slow down' })],
  ['auth: the model answered 401: wrong key', new ClientError(401, { message: 'wrong key' })],
  ['connection: the model answered 408: late', new ClientError(408, { message: 'late' })],
  ['connection: the model answered 503: not today', marked({ statusCode: 503 })],
  [
    'connection: the model answered 500: not today',
    Object.assign(new Error('Failed after 3 attempts'), {
      name: 'AI_RetryError',
      lastError: marked({ statusCode: 500 }),
    }),
  ],
  [
    'connection: the model answered 529: busy',
    new Error('the weather is unknown', { cause: new ClientError(529, { message: 'busy' }) }),
  ],
  [
    'connection: the model cannot be reached: undefined Connection error.',
    new APIConnectionTimeoutError(undefined),
  ],
  [
    'connection: the model failed: Overloaded',
    new ClientError(undefined, { type: 'overloaded_error', message: 'Overloaded' }),
  ],
  [
    'rate_limit: the model answered 429: Resource exhausted',
    Object.assign(
      new Error('{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED"}}'),
      {
        name: 'ApiError',
        status: 429,
      },
    ),
  ],
  // A wrong request is the agent's failure.
  ['agent: 400 no such tool', new ClientError(400, { message: 'no such tool' })],
  ['agent: 404 no such model', new ClientError(404, { message: 'no such model' })],
  ['agent: 422 too warm', new ClientError(422, { message: 'too warm' })],
  // Errors of the agent's own code that look like those of a client.
  ['agent: gone', Object.assign(new Error('gone'), { status: 503 })],
  ['agent: busy', new APIError(429, 'busy')],
  ['agent: not today', apiCallError({ statusCode: 503 })],
  ['agent: no', Object.assign(new Error('no'), { name: 'ApiError', status: 503 })],
  ['agent: fetch failed', refused()],
])('of a function: %s', (words, error) => {
  const { code, message } = functionFailure(error);
  expect(`${code}: ${message}`).toBe(words);
});

test('a function waits as long as the model asks for', () => {
  const limited = new ClientError(429, { message: 'slow down' }, new Headers({ 'retry-after': '7' }));
  const { retryAfterMs, isFinal } = functionFailure(limited);
  expect({ retryAfterMs, isFinal }).toEqual({ retryAfterMs: 7000, isFinal: false });
});
