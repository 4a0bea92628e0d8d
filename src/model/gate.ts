// How a gate on a whole run ended.

export type GateResult = {
  /** As it was written. */
  gate: string;
  /** `undecided`: the run stopped before there was an answer; `unmeasured`: nothing could be measured. */
  status: 'failed' | 'passed' | 'undecided' | 'unmeasured';
  /** The metric whose scores it is about. */
  metric?: string;
  /** In percent, dollars or milliseconds, or a score from 0 to 1; null if it could not be measured. */
  figure: number | null;
  /** The 95 % interval of a pass rate for cases like these, in percent; of scores from 0 to 1. */
  interval?: { low: number; high: number };
  /** The answer came before the end: it could not change any more, or it is wrong at most 1 time in 40. */
  decided?: 'certain' | 'likely';
  /** Why it could not be measured, or what is missing. */
  message?: string;
};
