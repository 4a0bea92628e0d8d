// Planned cases with their past in, figures out. Arithmetic alone: nothing is read here.

import type { AutoRule } from '../../stats/auto-rule.ts';
import { attemptsRange, runsByRate } from './auto-attempts.ts';
import type { CountedCase, PastRun } from './cost.ts';
import { forecastCost, forecastTime } from './cost.ts';
import { describeBaseline, fewestRuns, forecastDetection, forecastNoise } from './detection.ts';
import type { Forecast, PlannedBaseline } from './forecast.ts';
import { forecastGate, ratesOf } from './gate.ts';
import type { PlannedCase } from './planned-cases.ts';

export type ForecastOptions = {
  /** The earlier runs that the past of the cases comes from. */
  runs: readonly PastRun[];
  /** Where the counts of the baseline come from; undefined if there is none. */
  baseline: 'history' | 'named' | undefined;
  /** In points. */
  margin: number;
  minPassRate: number | undefined;
  /** The rule of cases that run until they are decided. */
  rule: AutoRule | undefined;
  /** Recordings answer: the run costs nothing, and chance has no part in it. */
  isReplay: boolean;
  /** The run has a gate of its own, instead of one on every case. */
  hasGate: boolean;
};

export function makeForecast(planned: readonly PlannedCase[], options: ForecastOptions): Forecast {
  const { margin, isReplay } = options;
  // Script tests and skill tests are deterministic, and so is a replay.
  const chancy = isReplay ? [] : planned.filter(({ kind }) => kind === 'agent-eval');
  const noise = forecastNoise(chancy);
  const { counted, range } = countAttempts(planned, noise.value, options.rule);
  const attempts = Math.round(sum(counted.map((one) => one.attempts)));
  const runs = typicalRuns(chancy.length > 0 ? chancy : planned);
  const widen = range === undefined || attempts === 0 ? NO_RANGE : share(range, attempts);
  const cost = isReplay ? null : widenCost(forecastCost(counted, options.runs), widen);

  const figures: Forecast = {
    cases: counted.filter((one) => one.attempts > 0).length,
    runs: runs ?? 'auto',
    attempts,
    ...(range !== undefined && { attempts_range: range }),
    history: {
      runs: options.runs.length,
      known_cases: planned.filter(({ past }) => past !== undefined && past.measured > 0).length,
    },
    cost,
    time: widenTime(forecastTime(counted, options.runs), widen),
    noise: null,
    baseline: null,
    margin,
    detectable: null,
    recommended: null,
    gate: null,
  };
  if (chancy.length === 0 || attempts === 0) return figures;

  // Comparisons use the runs that every case has, which do not depend on how they ended.
  const compared = runs ?? options.rule?.min ?? 1;
  const found = options.baseline === undefined ? undefined : describeBaseline(chancy, options.baseline);
  const baseline = found ?? sameSize(chancy.length, compared);
  const fewest = fewestRuns(baseline, noise.value, margin);
  return {
    ...figures,
    noise: { ...noise, value: Number(noise.value.toPrecision(4)) },
    baseline,
    detectable: forecastDetection(baseline, compared, noise.value),
    recommended:
      fewest === undefined ? null : { runs: fewest, cost_usd: costOfRuns(planned, fewest, options.runs) },
    gate: (options.hasGate ? undefined : forecastGate(chancy, noise.value, options.minPassRate)) ?? null,
  };
}

function sameSize(cases: number, runs: number): PlannedBaseline {
  return { source: 'same_size', runs, cases, missing_cases: 0 };
}

type CountedCases = { counted: CountedCase[]; range?: Range };

type Range = { low: number; high: number };

/** Adds the number of attempts that are left; for a case that runs until it is decided, the number that its rate leads to. */
function countAttempts(
  planned: readonly PlannedCase[],
  noise: number,
  rule: AutoRule | undefined,
): CountedCases {
  if (rule === undefined)
    return { counted: planned.map((one) => ({ ...one, attempts: (one.runs ?? 1) - one.done })) };
  const rates = ratesOf(planned, noise);
  const runsAt = runsByRate(rule);
  let variance = 0;
  let least = 0;
  let most = 0;
  const counted = planned.map((one, index) => {
    // Without history, cases that always pass.
    const runs = one.runs === undefined ? runsAt(rates?.[index] ?? 1) : { mean: one.runs, variance: 0 };
    variance += runs.variance;
    least += Math.max(0, (one.runs ?? rule.min) - one.done);
    most += Math.max(0, (one.runs ?? rule.max) - one.done);
    return { ...one, attempts: Math.max(0, runs.mean - one.done) };
  });
  const attempts = Math.round(sum(counted.map((one) => one.attempts)));
  return { counted, range: attemptsRange({ attempts, variance }, { least, most }) };
}

const NO_RANGE: Range = { low: 1, high: 1 };

/** A range of attempts as parts of their mean. */
function share({ low, high }: Range, attempts: number): Range {
  return { low: low / attempts, high: high / attempts };
}

function widenCost(cost: Forecast['cost'], { low, high }: Range): Forecast['cost'] {
  if (cost === null) return null;
  const rounded = (usd: number): number => Number(usd.toPrecision(6));
  return { ...cost, low_usd: rounded(cost.low_usd * low), high_usd: rounded(cost.high_usd * high) };
}

function widenTime(time: Forecast['time'], { low, high }: Range): Forecast['time'] {
  if (time === null) return null;
  return { low_ms: Math.round(time.low_ms * low), high_ms: Math.round(time.high_ms * high) };
}

function costOfRuns(planned: readonly PlannedCase[], runs: number, past: readonly PastRun[]): number | null {
  const cost = forecastCost(
    planned.map((one) => ({ ...one, attempts: runs })),
    past,
  );
  return cost === null || (cost.usd === 0 && cost.at_least) ? null : cost.usd;
}

/** The number of runs that most cases have; undefined if they run until they are decided. */
function typicalRuns(planned: readonly PlannedCase[]): number | undefined {
  if (planned.length === 0) return 1;
  const counts = new Map<number | undefined, number>();
  for (const { runs } of planned) counts.set(runs, (counts.get(runs) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
