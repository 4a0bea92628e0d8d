// What a test can be.

import type { Agent } from '../../../agents/adapter.ts';
import type { Attempt, Kind } from '../../../model/attempt.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { AttemptDeps } from './attempt-deps.ts';
import { executeAgentEval } from './agent-eval.ts';

type Execute = (attempt: Attempt, agent: Agent, deps: AttemptDeps) => Outcome | Promise<Outcome>;

/** How attempts of each kind are executed inside a worker; an outcome that is known at once needs no promise. */
const kinds: Record<Exclude<Kind, 'script' | 'skill'>, Execute> = {
  'agent-eval': executeAgentEval,
};

/** Script tests and skill tests have processes of their own, and never come here. */
export function executeOf(kind: Kind): Execute {
  if (kind !== 'agent-eval') throw new Error(`a ${kind} test in a worker for agents`);
  return kinds[kind];
}
