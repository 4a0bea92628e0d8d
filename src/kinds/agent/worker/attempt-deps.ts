// The things an attempt may use: environment, fetch, signal, other agents.

import { waitingOf } from '../../../agents/adapter.ts';
import type { AgentDeps, Directory } from '../../../agents/adapter.ts';
import type { Outcome } from '../../../model/outcome.ts';

/** What an attempt may use. */
export type AttemptDeps = Pick<AgentDeps, 'env' | 'fetch' | 'signal' | 'retries' | 'waiting' | 'closing'> & {
  directory: Directory;
  /** Keeps what is known so far, in case there is no more. */
  note?(partial: Partial<Outcome>): void;
};

/** What the agent may use: nothing of the harness, and the options of the case. */
export function withOptions(deps: AttemptDeps, options: Record<string, unknown>): AgentDeps {
  const { env, fetch, signal, retries } = deps;
  return {
    env,
    fetch,
    signal,
    ...waitingOf(deps),
    closing: (work) => deps.closing?.(work),
    options,
    ...(retries !== undefined && { retries }),
  };
}
