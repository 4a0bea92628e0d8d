import { costsOf } from '../../model/spending.ts';
import type { Decider } from '../decider.ts';

/** Stops a run that has spent `usd` dollars. Costs of unknown price count nothing; `unpriced` is called at the first of them. */
export function createBudget({ usd, unpriced }: { usd: number; unpriced: () => void }): Decider {
  let spent = 0;
  let isTold = false;
  return {
    heard(_attempt, outcome, { isPrior }) {
      // A resumed run has a budget of its own.
      if (isPrior) return undefined;
      for (const cost of costsOf(outcome)) {
        spent += cost ?? 0;
        if (cost !== null || isTold) continue;
        isTold = true;
        unpriced();
      }
      // The tolerance hides binary fractions: ten times 0.1.
      return spent >= usd - 1e-9 ? 'budget' : undefined;
    },
  };
}
