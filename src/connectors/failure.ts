// Turns failures of a model's server into AttemptErrors that name the connector.

import { excerpt } from '../text/excerpt.ts';
import { AttemptError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import type { ErrorCode } from '../model/outcome.ts';
import { isObject } from '../json/is-object.ts';
import { errorStatus, isTransientStatus } from '../platform/http-status.ts';
import { readRetryAfter } from '../platform/retry-after.ts';
import type { HeaderFields } from '../platform/tape-scope.ts';

export type { HeaderFields } from '../platform/tape-scope.ts';

/** Names the connector and the model; masks the key, which a server may quote. */
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

/** The error of a response whose status is not 2xx. */
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

/** The error of an `{"error": …}` inside a successful response. */
export function sentError(connector: Connector, error: unknown): AttemptError {
  const body = JSON.stringify({ error });
  // An unknown error is retried.
  return statusError(connector, errorStatus(error) ?? 500, {}, body);
}

/** The message in the body of an error, in the formats of common services. */
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
