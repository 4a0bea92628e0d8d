// What decides while a run is on.

import type { Attempt } from '../model/attempt.ts';
import type { StopReason } from '../model/outcome.ts';
import type { Counted } from '../model/settle.ts';

/** Listens to a run and may stop it: budgets, gates. */
export type Decider = {
  /**
   * Hears every outcome, `isPrior` if an earlier part of a resumed run has it already. Returns a reason to stop: nothing more is
   * handed out then, and what has not begun is skipped for this reason.
   */
  heard(attempt: Attempt, outcome: Counted, options: { isPrior: boolean }): StopReason | undefined;
};
