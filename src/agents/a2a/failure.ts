// What the SDK throws, as the reason why an attempt has no answer.

import { AttemptError, messageOf } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { excerpt } from '../../text/excerpt.ts';

/** JSON-RPC: something inside the server went wrong. */
const INTERNAL_ERROR = -32603;

/** The failure as an AttemptError; `where` names the agent. */
export function failureOf(error: unknown, where: string): AttemptError {
  if (error instanceof AttemptError) return error;
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AttemptError) return cause;
  const reported = [error, cause].find(isReported);
  if (reported !== undefined) return reportedFailure(reported, where);
  const text = messageOf(error);
  // The SDK takes no event above 4 MB.
  if (text.includes('exceeded the maximum allowed size'))
    return new AttemptError('agent', `${where} sent an event of more than 4 MB, which is not read`);
  const what = error instanceof SyntaxError ? 'something that is not JSON' : 'something that is not A2A';
  return new AttemptError('protocol', `${where} answered ${what}: ${excerpt(text)}`, { cause: error });
}

type Reported = Error & { envelopeCode?: number; statusCode?: number; reason?: unknown };

/** An error that the agent itself has reported, in the form of its transport. */
function isReported(error: unknown): error is Reported {
  return error instanceof Error && ('envelopeCode' in error || 'statusCode' in error);
}

function reportedFailure(error: Reported, where: string): AttemptError {
  const { envelopeCode, statusCode, reason } = error;
  const isInternal =
    envelopeCode === INTERNAL_ERROR || (reason === 'INTERNAL_ERROR' && (statusCode ?? 0) >= 500);
  const code = envelopeCode ?? statusCode;
  const said = error.message === '' ? detailsOf(error) : error.message;
  const message = `${where} answered with error ${String(code)}: ${excerpt(said)}`;
  // Asked the same again, it answers the same.
  return isInternal
    ? new AttemptError('agent', message)
    : new AttemptError('protocol', message, { isFinal: true });
}

function detailsOf(error: Reported): string {
  const data: unknown = 'data' in error ? error.data : undefined;
  return isObject(data) || Array.isArray(data) ? JSON.stringify(data) : '';
}
