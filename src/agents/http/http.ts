// An agent behind a URL: one request per attempt, JSON, text or server-sent events in return.

import { AttemptError } from '../../errors.ts';
import type { HttpRun } from '../../model/agent.ts';
import type { Agent, AgentAdapter, AgentDeps } from '../adapter.ts';
import { readAnswer } from './http-answer.ts';
import { fetchFrom, withoutTimeouts, refusal, splitCredentials, unreachable } from './http-endpoint.ts';
import { openBody } from './http-template.ts';
import { raceSignal } from '../../platform/race.ts';

type Target = {
  url: string;
  where: string;
  headers: Headers;
  /** The headers that the definition sets. */
  own: Headers;
};

/** Opens an HTTP agent; `fetch` keeps its connections alive. */
export const openHttp: AgentAdapter = async ({ run }): Promise<Agent> => {
  if (run.type !== 'http') throw new AttemptError('harness', `not an endpoint: ${run.type}`);
  const { http } = run;
  const target = toTarget(http);
  const toBody = await openBody(http);
  return {
    async run(messages, context, deps) {
      const { signal } = deps;
      const controller = new AbortController();
      const work = request(http, target, () => toBody(messages, context), deps, controller.signal);
      try {
        return await raceSignal(work, signal);
      } finally {
        // Ends a request that is still running: its time is over, or its body is of no interest.
        controller.abort(signal.reason);
      }
    },
  };
};

async function request(
  http: HttpRun,
  target: Target,
  toBody: () => unknown,
  { fetch }: AgentDeps,
  signal: AbortSignal,
) {
  const { url, where, headers, own } = target;
  const method = (http.method ?? 'POST').toUpperCase();
  const init: RequestInit = { method, headers, signal, ...withoutTimeouts() };
  if (method !== 'GET' && method !== 'HEAD') {
    const body = toBody();
    init.body = typeof body === 'string' ? body : JSON.stringify(body);
  }
  const response = await fetchFrom(fetch, url, init, own).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable(where, error);
  });
  if (!response.ok) throw await refusal(response, where);
  return readAnswer(response, where, http);
}

function toTarget(http: HttpRun): Target {
  const { url, headers } = splitCredentials(http.url);
  const own = new Headers([...headers, ...Object.entries(http.headers ?? {})]);
  // A server of AG-UI sends its binary form to everyone who accepts anything.
  const isAgUi = http.format === 'ag-ui';
  headers.set(
    'accept',
    isAgUi ? 'text/event-stream' : 'application/json, text/event-stream, text/plain, */*',
  );
  // `fetch` takes a compressed answer that is cut off for a whole one.
  headers.set('accept-encoding', 'identity');
  if (typeof http.body !== 'string') headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(http.headers ?? {})) headers.set(name, value);
  const where = `${(http.method ?? 'POST').toUpperCase()} ${url.origin}${url.pathname}`;
  return { url: url.href, where, headers, own };
}
