// `t.mock.fetch`: answers requests from a function or a table.

import { isObject } from '../../../../json/is-object.ts';
import { raceSignal } from '../../../../platform/race.ts';
import { answerWith } from './fetch-answer.ts';
import type { MockFunction } from './mock-function.ts';
import { createMockFunction } from './mock-function.ts';
import { readText, show } from '../assertions/show.ts';

type FetchRequest = { method: string; url: string; init: unknown };

type Row = { key: string; method: string | undefined; prefix: string; answer: unknown };

/** Replaces `fetch` in the realm, so that no request reaches the network. */
export function mockFetch(realm: Record<string, unknown>, answers: unknown): MockFunction {
  if (typeof answers !== 'function' && !isObject(answers)) {
    throw new TypeError(`t.mock.fetch takes a function or a table of answers, not ${show(answers)}`);
  }
  const rows = typeof answers === 'function' ? undefined : Object.entries(answers).map(parseRow);
  const respond = async (request: FetchRequest): Promise<unknown> => {
    const answer = rows === undefined ? answers : findAnswer(rows, request);
    const given: unknown =
      typeof answer === 'function'
        ? await Reflect.apply(answer, undefined, [request.url, request.init])
        : answer;
    return answerWith(given, request.url, realm);
  };
  const fetch = async (input: unknown, init?: unknown): Promise<unknown> => {
    const request = readRequest(input, init);
    const signal = readSignal(init) ?? readSignal(input);
    return signal === undefined ? respond(request) : raceSignal(respond(request), signal);
  };
  return install(realm, fetch);
}

function install(
  realm: Record<string, unknown>,
  fetch: (input: unknown, init?: unknown) => Promise<unknown>,
): MockFunction {
  const own = Object.getOwnPropertyDescriptor(realm, 'fetch');
  const mock = createMockFunction(fetch, {
    undo() {
      if (own === undefined) Reflect.deleteProperty(realm, 'fetch');
      else Object.defineProperty(realm, 'fetch', own);
    },
  });
  const property = { value: mock, configurable: true, enumerable: true, writable: true };
  Object.defineProperty(realm, 'fetch', property);
  return mock;
}

/** Parses a key such as `GET https://example.com/users`, or only the beginning of a URL. */
function parseRow([key, answer]: [string, unknown]): Row {
  const [, method, prefix = key] = /^([A-Za-z]+)\s+(.*)$/.exec(key) ?? [];
  return { key, method: method?.toUpperCase(), prefix, answer };
}

/** The longest matching URL wins; of two equal ones, the one with a method. */
function findAnswer(rows: Row[], { method, url }: FetchRequest): unknown {
  let best: Row | undefined;
  for (const row of rows) {
    if (!url.startsWith(row.prefix) || (row.method !== undefined && row.method !== method)) continue;
    const lead = row.prefix.length - (best?.prefix.length ?? -1);
    if (lead > 0 || (lead === 0 && row.method !== undefined)) best = row;
  }
  if (best !== undefined) return best.answer;
  const known =
    rows.length === 0
      ? 'there are no answers'
      : `there are answers to ${rows.map(({ key }) => key).join(', ')}`;
  throw new TypeError(`t.mock.fetch: unexpected request ${method} ${url}; ${known}`);
}

/** The first argument of fetch is a string, a URL or a Request. */
function readRequest(input: unknown, init: unknown): FetchRequest {
  const request = isObject(input) ? input : {};
  const url = readText(request, 'href') ?? readText(request, 'url') ?? String(input);
  const method = (isObject(init) ? readText(init, 'method') : undefined) ?? readText(request, 'method');
  const isRequest = readText(request, 'url') !== undefined;
  return { url, method: (method ?? 'GET').toUpperCase(), init: init ?? (isRequest ? input : {}) };
}

function readSignal(options: unknown): AbortSignal | undefined {
  const signal = isObject(options) ? options['signal'] : undefined;
  // Accepts signals of any realm.
  return isObject(signal) && typeof signal['addEventListener'] === 'function'
    ? (signal as unknown as AbortSignal)
    : undefined;
}
