// Why a model did not answer: what a server says comes in, an error that names the connector goes out.

import { excerpt } from '../text/excerpt.ts';
import { AttemptError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import type { ErrorCode } from '../model/outcome.ts';
import { isObject } from '../json/is-object.ts';
import { isTransientStatus } from '../platform/http-status.ts';
import { readRetryAfter } from '../platform/retry-after.ts';
import type { HeaderFields } from '../platform/tape-scope.ts';

export type { HeaderFields } from '../platform/tape-scope.ts';

/** An error that names the connector and the model; the key is never shown, whoever quotes it. */
export function modelError(
  { id, model, key }: Connector,
  code: ErrorCode,
  text: string,
  options: { cause?: unknown; retryAfterMs?: number | undefined; isFinal?: boolean } = {},
): AttemptError {
  const name = model === id ? id : `${id} (${model})`;
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
  const shown = key === undefined || key === '' ? line : line.replaceAll(key, '***');
  return new AttemptError(code, `connector ${name}: ${shown}`, options);
}

/** The error of an answer that is not a success. */
export function statusError(
  connector: Connector,
  status: number,
  headers: HeaderFields,
  body: string,
  cause?: unknown,
): AttemptError {
  const text = `answered ${String(status)}: ${excerpt(serverMessage(body) ?? body)}`;
  const retryAfterMs = readRetryAfter(headers);
  if (status === 429) {
    // Out of quota: retrying cannot help.
    const isFinal = body.includes('insufficient_quota');
    return modelError(connector, 'rate_limit', text, { cause, retryAfterMs, isFinal });
  }
  if (status === 401 || status === 402 || status === 403)
    return modelError(connector, 'auth', text, { cause, isFinal: true });
  if (isTransientStatus(status)) return modelError(connector, 'connection', text, { cause, retryAfterMs });
  return modelError(connector, 'protocol', text, { cause, isFinal: true });
}

/** The error of an `{"error": …}` that came where an answer was expected. */
export function sentError(connector: Connector, error: unknown): AttemptError {
  const body = JSON.stringify({ error });
  return statusError(connector, statusOf(error), {}, body);
}

/** The sentence in the body of an error, in the forms that common services give it; nothing if there is none. */
export function serverMessage(body: string): string | undefined {
  try {
    return messageIn(JSON.parse(body));
  } catch {
    return undefined;
  }
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return messageIn(value[0]);
  if (!isObject(value)) return undefined;
  return messageIn(value['error']) ?? messageIn(value['message']) ?? messageIn(value['detail']);
}

const KINDS: [pattern: RegExp, status: number][] = [
  [/rate.?limit|quota|too.?many/i, 429],
  [/authentication|invalid.?api.?key|permission/i, 401],
  [/overloaded/i, 529],
  [/invalid.?request|not.?found|context.?length/i, 400],
];

/** The status an error inside a successful answer would have had; without a sign it may pass. */
function statusOf(error: unknown): number {
  if (!isObject(error)) return 500;
  for (const field of ['code', 'status']) {
    const value = Number(error[field]);
    if (value >= 400 && value <= 599) return value;
  }
  const kind = `${textOf(error['code']) ?? ''} ${textOf(error['type']) ?? ''}`;
  return KINDS.find(([pattern]) => pattern.test(kind))?.[1] ?? 500;
}

function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first.trim() !== '' ? first.trim() : undefined;
}
