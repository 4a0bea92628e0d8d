// Turns errors of the SDK into AttemptErrors.

import { AttemptError, messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { excerpt } from '../../text/excerpt.ts';

/** JSON-RPC code of an internal server error. */
const INTERNAL_ERROR = -32603;

/** `where` names the agent in the message. */
export function toA2aFailure(error: unknown, where: string): AttemptError {
  if (error instanceof AttemptError) return error;
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AttemptError) return cause;
  const reported = [error, cause].find(isReported);
  if (reported !== undefined) return reportedFailure(reported, where);
  const text = messageOf(error);
  // The SDK rejects events above 4 MB.
  if (text.includes('exceeded the maximum allowed size'))
    return new AttemptError('agent', `${where} sent an event of more than 4 MB, which is too large`);
  const what = error instanceof SyntaxError ? 'something that is not JSON' : 'something that is not A2A';
  return new AttemptError('protocol', `${where} answered ${what}: ${excerpt(text)}`, { cause: error });
}

type Reported = Error & { envelopeCode?: number; statusCode?: number; reason?: unknown };

/** True for an error that the agent reported, over JSON-RPC or HTTP. */
function isReported(error: unknown): error is Reported {
  return error instanceof Error && ('envelopeCode' in error || 'statusCode' in error);
}

function reportedFailure(error: Reported, where: string): AttemptError {
  const { envelopeCode, statusCode, reason } = error;
  const isInternal =
    envelopeCode === INTERNAL_ERROR || (reason === 'INTERNAL_ERROR' && (statusCode ?? 0) >= 500);
  const code = envelopeCode ?? statusCode;
  const text = error.message === '' ? errorDetails(error) : error.message;
  const message = `${where} answered with error ${String(code)}: ${excerpt(text)}`;
  // Other errors are deterministic: a retry cannot help.
  return isInternal
    ? new AttemptError('agent', message)
    : new AttemptError('protocol', message, { isFinal: true });
}

function errorDetails(error: Reported): string {
  const data: unknown = 'data' in error ? error.data : undefined;
  return isObject(data) || Array.isArray(data) ? JSON.stringify(data) : '';
}
