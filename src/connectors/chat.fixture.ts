// For tests only: a question to a connector, and what becomes of it.

import { AttemptError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import type { ChatDeps, ChatRequest } from './chat.ts';
import { chat } from './chat.ts';

let connectorCount = 0;

/** A connector of its own name, so that tests do not share a limiter. */
export function connectorAt(host: string, given: Partial<Connector> = {}): Connector {
  connectorCount += 1;
  const id = `tests.model-${String(connectorCount)}`;
  return { id, type: 'openai', model: 'loopback', key: 'sk-12345678', url: `${host}/v1`, ...given };
}

/** Never aborts, never tries again, waits shortly, and keeps what is logged in `lines`. */
export function depsFor(given: Partial<ChatDeps> = {}): ChatDeps & { lines: string[] } {
  const lines: string[] = [];
  const signal = new AbortController().signal;
  return { root: '/', signal, retries: 0, log: (line) => lines.push(line), backoffMs: 4, ...given, lines };
}

/** Asks one question. */
export function ask(
  connector: Connector,
  { request, ...deps }: Partial<ChatDeps> & { request?: Partial<ChatRequest> } = {},
) {
  const messages = [{ role: 'user', content: 'hello' }];
  return chat(connector, { messages, options: {}, ...request }, depsFor(deps));
}

/** The error that was thrown; of an AttemptError, the fields that matter. */
export async function failureOf(work: Promise<unknown>, connector?: Connector): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AttemptError)) return error;
  const { code, message, isFinal } = error;
  const name = connector === undefined ? '' : `connector ${connector.id} (${connector.model}): `;
  return { code, message: message.replace(name, ''), isFinal };
}
