// What a run would cost and show, as `assay plan --json` prints it.

/** Amounts are in dollars, times in milliseconds, drops in points of the pass rate. */
export type Forecast = {
  cases: number;
  /** Of each case, or of most; `auto` if every case runs until it is decided. */
  runs: number | 'auto';
  attempts: number;
  /** Only of cases that run until they are decided: how many attempts that takes, mostly. */
  attempts_range?: { low: number; high: number };
  /** The earlier runs that the figures come from, and how many of the cases they had. */
  history: { runs: number; known_cases: number };
  /** Null if nothing has reported a cost. */
  cost: CostForecast | null;
  /** Null if no case has run before. */
  time: TimeForecast | null;
  /** Null, as everything below, if the tests are deterministic. */
  noise: { value: number; assumed: boolean } | null;
  baseline: PlannedBaseline | null;
  margin: number;
  detectable: (DropForecast & { by_runs: (DropForecast & { runs: number })[] }) | null;
  /** The fewest runs that show a drop of the margin; null if no number up to 100 does. */
  recommended: { runs: number; cost_usd: number | null } | null;
  /** The gate on every case; null if no case has run before, or if another gate is given. */
  gate: GateForecast | null;
};

/** `at_least`: a price is not known, so that the run costs more. */
export type CostForecast = { usd: number; low_usd: number; high_usd: number; at_least: boolean };

export type TimeForecast = { low_ms: number; high_ms: number };

/** The other side of the comparison. */
export type PlannedBaseline = {
  /** `same_size`: there is none yet. */
  source: 'history' | 'named' | 'same_size';
  /** Measured runs of each case: the median. */
  runs: number;
  /** How many of the cases it has, and how many it does not have. */
  cases: number;
  missing_cases: number;
};

/** A drop that is seen with 4 chances in 5: spread over all cases, or as so many cases that break. */
export type DropForecast = { spread: number; broken: number };

export type GateForecast = {
  /** The chance that every case passes. */
  chance: number;
  /** How many of its runs a case must pass. */
  passes_needed: number;
  never_passed: number;
  /** A gate on the whole that would hold, in percent. */
  suggested_pass_rate: number;
};
