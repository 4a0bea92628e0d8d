import type { AttemptError } from '../../errors.ts';
import type { MemberEvent } from '../../scripts/context/thread-protocol.ts';

/** Tells the other side what the call waits for, such as a rate limit. */
export function waitingTeller(tell: (event: MemberEvent) => void): (reason: AttemptError) => () => void {
  return ({ code, message }) => {
    tell({ type: 'waiting', reason: { code, message } });
    return () => tell({ type: 'waiting' });
  };
}
