// What decides while a run is on: budgets, gates, comparisons.

import type { Attempt, Target } from '../model/attempt.ts';
import type { DecidedFields } from '../model/event.ts';
import type { StopReason } from '../model/outcome.ts';
import type { CaseEnd, Counted } from '../model/settle.ts';

/**
 * Listens to a run and may stop it. After a stop nothing more is handed out, and what has not begun is skipped for that reason. A run
 * that stopped because it is `decided` is not incomplete: its cases are settled by the runs that they have. A decider that needs more
 * rounds than `--runs` raises `runs` in `decidingSettings` (run/deciding-settings.ts).
 */
export type Decider = {
  /** Hears every outcome. Returns a reason to stop. */
  heard?(attempt: Attempt, outcome: Counted, about: Heard): StopReason | undefined;
  /** Hears the end of every case, at its last attempt. */
  caseEnded?(attempt: Attempt, end: CaseEnd, about: Heard): void;
  /**
   * Every case has had run number `round`, or as many runs as its test has. Called in order, from 1. Rounds then have all cases: no
   * blocks. With more than `MOST_IN_ROUNDS` cases, and with `--runs auto`, it
   * is not called. Returns a reason to stop.
   */
  roundEnded?(round: number): StopReason | undefined;
  /**
   * After the last round: how often cases run again, by `caseKey`. The results do not count for their cases (`uncounted: 'confirm'`).
   * Only with whole rounds.
   */
  confirms?(): ReadonlyMap<string, number>;
  /** Its part of the summary, after the last outcome. */
  conclude?(run: RunEnd): Conclusion;
};

export type Heard = {
  /** An earlier part of a resumed run has it already. */
  isPrior: boolean;
  target: Target;
};

/** How a run ended. */
type RunEnd = {
  /** Why it stopped before its end. */
  stopped: StopReason | undefined;
};

/** What a decider adds to the summary. */
export type Conclusion = {
  /** The answer, in place of the exit code of the cases. Of several answers a failure wins over what could not be measured. */
  exitCode?: 0 | 1 | 3;
  fields?: DecidedFields;
};

/** Cases that are repeated in whole rounds; all of them are in memory then. */
export const MOST_IN_ROUNDS = 100_000;
