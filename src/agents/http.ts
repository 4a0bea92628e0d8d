// An agent behind a URL: one request per attempt, JSON, text or server-sent events in return.

import { AttemptError, messageOf } from '../errors.ts';
import type { HttpRun } from '../model/agent.ts';
import type { Message } from '../model/case.ts';
import type { ContextData } from '../model/context.ts';
import type { Agent, AgentAdapter, AgentDeps } from './adapter.ts';
import { readAnswer, readText } from './http-answer.ts';
import { excerpt } from './http-parts.ts';
import { requestBody } from './http-template.ts';
import { raceSignal } from '../platform/race.ts';

type Target = { url: string; where: string; headers: Headers };

/** Opens an HTTP agent; connections are kept alive by `fetch`. */
export const openHttp: AgentAdapter = ({ run }): Agent => {
  if (run.type !== 'http') throw new AttemptError('harness', `not an endpoint: ${run.type}`);
  const { http } = run;
  const target = targetOf(http);
  return {
    async run(messages, context, deps) {
      const { signal } = deps;
      const controller = new AbortController();
      const work = request(http, target, messages, context, deps, controller.signal);
      try {
        return await raceSignal(work, signal);
      } finally {
        // Ends what still runs after the deadline; without effect on an answer that was read.
        if (signal.aborted) controller.abort(signal.reason);
      }
    },
  };
};

async function request(
  http: HttpRun,
  target: Target,
  messages: Message[],
  context: ContextData,
  { fetch }: AgentDeps,
  signal: AbortSignal,
) {
  const { url, where, headers } = target;
  const method = (http.method ?? 'POST').toUpperCase();
  const init: RequestInit = { method, headers, signal, ...patience() };
  if (method !== 'GET' && method !== 'HEAD') {
    const body = requestBody(http.body, messages, context);
    init.body = typeof body === 'string' ? body : JSON.stringify(body);
  }
  const response = await fetch(url, init).catch((error: unknown) => {
    throw signal.aborted
      ? error
      : new AttemptError('connection', `${where}: ${reasonOf(error)}`, { cause: error });
  });
  if (!response.ok) throw await refusal(response, where);
  return readAnswer(response, where, http);
}

function targetOf(http: HttpRun): Target {
  const url = new URL(http.url);
  const headers = new Headers({ accept: 'application/json, text/event-stream, text/plain, */*' });
  if (typeof http.body !== 'string') headers.set('content-type', 'application/json');
  // fetch refuses addresses with a password in them.
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  for (const [name, value] of Object.entries(http.headers ?? {})) headers.set(name, value);
  const where = `${(http.method ?? 'POST').toUpperCase()} ${url.origin}${url.pathname}`;
  return { url: url.href, where, headers };
}

/** Why no answer came, with the system's code for it. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const words = code === undefined ? undefined : REASONS[code];
  if (words !== undefined) return `${words} (${String(code)})`;
  const detail = cause instanceof Error && cause.message !== '' ? cause.message : messageOf(error);
  return code === undefined || detail.includes(code) ? detail : `${detail} (${code})`;
}

const REASONS: Record<string, string> = {
  EAI_AGAIN: 'the name server does not answer',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENOTFOUND: 'no such host',
  ETIMEDOUT: 'no connection within the time of the system',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 seconds',
  UND_ERR_SOCKET: 'the other side closed the connection',
};

async function refusal(response: Response, where: string): Promise<AttemptError> {
  const { status, statusText, headers } = response;
  // Only the beginning of the body is shown, so a body that cannot be read does not matter.
  const body = await readText(response, where).catch(() => '');
  const message = `${where} answered ${String(status)}${statusText === '' ? '' : ` ${statusText}`}: ${excerpt(body)}`;
  const retryAfterMs = readRetryAfter(headers);
  const options = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 429) return new AttemptError('rate_limit', message, options);
  if (status === 401 || status === 403) return new AttemptError('auth', message);
  if (status === 502 || status === 503 || status === 504)
    return new AttemptError('connection', message, options);
  if (status >= 500) return new AttemptError('agent', message);
  // Too slow (408) and too early (425) may go better the next time; any other refusal stays one.
  return new AttemptError('protocol', message, { isFinal: status !== 408 && status !== 425 });
}

/** How long the other side asks to wait: seconds, or a date, which is compared with its own clock. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.round(Number(value) * 1000);
  const until = Date.parse(value);
  const now = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

let patient: object | undefined;

/**
 * Node's fetch gives up after 5 minutes without an answer; how long an agent may take is the deadline's business.
 * Its dispatcher can be had only by the well-known symbol; without it, the 5 minutes stay.
 */
function patience(): object {
  if (patient !== undefined) return patient;
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));
  if (typeof dispatcher !== 'object' || dispatcher === null) return {};
  if (dispatcher.constructor.name !== 'Agent') return {};
  // The class that made the default dispatcher, which takes these options.
  const Agent = dispatcher.constructor as new (options: object) => object;
  patient = { dispatcher: new Agent({ headersTimeout: 0, bodyTimeout: 0 }) };
  return patient;
}
