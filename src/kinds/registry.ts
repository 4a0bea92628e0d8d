// What a test can be.

import type { Attempt, Kind } from '../model/attempt.ts';
import type { Outcome } from '../model/outcome.ts';
import type { KindDeps } from './agent-eval.ts';
import { executeAgentEval } from './agent-eval.ts';

/** How attempts of each kind are executed inside a worker. */
export const kinds: Record<Kind, (attempt: Omit<Attempt, 'agent'>, deps: KindDeps) => Promise<Outcome>> = {
  'agent-eval': executeAgentEval,
};
