// Dependencies of an attempt: environment, fetch, signal, other agents.

import { forwardWaiting } from '../../../agents/adapter.ts';
import type { AgentDeps, Directory } from '../../../agents/adapter.ts';
import type { Outcome } from '../../../model/outcome.ts';

export type AttemptDeps = Pick<AgentDeps, 'env' | 'fetch' | 'signal' | 'retries' | 'waiting' | 'closing'> & {
  directory: Directory;
  /** Saves a partial outcome, in case the attempt does not complete. */
  note?(partial: Partial<Outcome>): void;
};

/** The dependencies of the agent: nothing of the harness, and the options of the case. */
export function withOptions(deps: AttemptDeps, options: Record<string, unknown>): AgentDeps {
  const { env, fetch, signal, retries } = deps;
  return {
    env,
    fetch,
    signal,
    ...forwardWaiting(deps),
    closing: (work) => deps.closing?.(work),
    options,
    retries,
  };
}
