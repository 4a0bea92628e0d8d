// What a gate needs to hear of a run, and what it answers.

import type { Attempt } from '../../model/attempt.ts';
import type { GateResult } from '../../model/gate.ts';
import type { CaseEnd, Counted } from '../../model/settle.ts';
import type { Heard } from '../decider.ts';

/** An answer before the end of the run. */
export type EarlyAnswer = { status: 'failed' | 'passed'; decided: 'certain' | 'likely' };

/** Watches the metric of one gate. */
export type GateWatch = {
  heard?(attempt: Attempt, outcome: Counted, about: Heard): void;
  caseEnded?(attempt: Attempt, end: CaseEnd, about: Heard): void;
  roundEnded?(round: number): void;
  /** The answer, as soon as it is known. */
  answer(): EarlyAnswer | undefined;
  /** What was measured, not rounded; `message` if there is nothing. */
  measured(): Measured;
};

/** `isOpen`: the figure is no answer, because what is missing could change it. */
type Measured = Pick<GateResult, 'figure' | 'interval' | 'message' | 'metric'> & { isOpen?: boolean };

/** The facts about a run that gates need before it begins. */
export type GatedRun = {
  /** The number of cases. */
  total: number;
  /** The runs of cases whose test does not say otherwise, and the least of all tests. */
  runs: number;
  leastRuns: number;
  /** Cases run until they are decided, so that the number of their runs is not known. */
  isAuto: boolean;
};
