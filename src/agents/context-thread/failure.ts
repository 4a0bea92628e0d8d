import { AttemptError, ConfigError, describeProblem, messageOf } from '../../errors.ts';
import type { MemberFailure } from '../../scripts/context/thread-protocol.ts';

/** An error of the harness, of a connection and so on keeps its code. */
export function toFailure(error: unknown): MemberFailure {
  if (error instanceof ConfigError)
    return { message: describeProblem(error), code: 'harness', is_final: true };
  if (!(error instanceof AttemptError) || error.code === 'agent') return { message: messageOf(error) };
  return { message: error.message, code: error.code, ...(error.isFinal && { is_final: true }) };
}
