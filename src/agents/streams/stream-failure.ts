// The failures of a stream: errors that it reports, events that cannot be read, a missing end.

import { AttemptError, messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import type { ErrorCode } from '../../model/outcome.ts';
import { errorStatus } from '../../platform/http-status.ts';
import { excerpt } from '../../text/excerpt.ts';

/** The error in an event that only reports one; undefined for other events. Events with another type may have an error of a part. */
export function reportedError(event: unknown): { value: unknown } | undefined {
  if (!isObject(event)) return undefined;
  const { type, error } = event;
  const isGiven = error !== undefined && error !== null && error !== false && error !== '';
  if (type === 'error') return { value: isGiven ? error : event };
  return type === undefined && isGiven ? { value: error } : undefined;
}

/** The failure for an error that the stream reports: its code decides whether a retry can help. */
export function streamFailure(where: string, error: unknown, message = errorText(error)): AttemptError {
  const text = excerpt(message).replaceAll(/\s*\n\s*/g, ' ');
  const cause = isObject(error) ? (error['lastError'] ?? error) : error;
  const code = errorCode(errorStatus(cause) ?? statusInText(text));
  // Out of quota: retrying cannot help.
  const isFinal = code === 'auth' || (isObject(cause) && cause['code'] === 'insufficient_quota');
  return new AttemptError(code, `${where} sent an error: ${text}`, { cause: error, isFinal });
}

/** The failure for a stream that stops before its end. */
export function cutOff(where: string, end: string): AttemptError {
  return new AttemptError('protocol', `${where} cut its answer off: the stream ended without ${end}`);
}

export function unreadableEvent(where: string, event: unknown): AttemptError {
  return new AttemptError(
    'protocol',
    `${where} sent an event that cannot be read: ${excerpt(toText(event))}`,
  );
}

/** The message of an error in the forms of common services. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  if (error instanceof Error) return messageOf(error);
  if (isObject(error)) {
    const fields = [error['message'], error['errorText'], error['error'], error['reason']];
    const text = fields.find((field) => typeof field === 'string' && field !== '');
    if (typeof text === 'string') return text;
    if (isObject(error['error'])) return errorText(error['error']);
  }
  return toText(error);
}

function errorCode(status: number | undefined): ErrorCode {
  if (status === 429) return 'rate_limit';
  if (status === 401 || status === 402 || status === 403) return 'auth';
  if (status === 502 || status === 503 || status === 504 || status === 529) return 'connection';
  return 'agent';
}

/** Some protocols have only a text. Unless it names the reason plainly, the error is the agent's own. */
function statusInText(text: string): number | undefined {
  if (/\brate.?limit|\btoo many requests\b/i.test(text)) return 429;
  return /\b(?:invalid|incorrect|missing) api.?key\b|\bunauthorized\b/i.test(text) ? 401 : undefined;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return typeof value === 'object' ? JSON.stringify(value) : `a ${typeof value}`;
  } catch {
    // Not serialisable, for example circular.
    return 'an object that cannot be written as JSON';
  }
}
