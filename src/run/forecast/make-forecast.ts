// Planned cases with their past in, figures out. Arithmetic alone: nothing is read here.

import type { AutoRule } from '../../stats/auto-rule.ts';
import { walk } from '../../stats/auto-rule.ts';
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
  const counted = countAttempts(planned, noise.value, options.rule);
  const attempts = Math.round(sum(counted.map((one) => one.attempts)));
  const runs = typicalRuns(chancy.length > 0 ? chancy : planned);
  const cost = isReplay ? null : forecastCost(counted, options.runs);

  const figures: Forecast = {
    cases: counted.filter((one) => one.attempts > 0).length,
    runs: runs ?? 'auto',
    attempts,
    history: {
      runs: options.runs.length,
      known_cases: planned.filter(({ past }) => past !== undefined && past.measured > 0).length,
    },
    cost,
    time: forecastTime(counted, options.runs),
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

/** Adds the number of attempts that are left; for a case that runs until it is decided, the number that its rate leads to. */
function countAttempts(
  planned: readonly PlannedCase[],
  noise: number,
  rule: AutoRule | undefined,
): CountedCase[] {
  const rates = rule === undefined ? undefined : ratesOf(planned, noise);
  const means = new Map<number, number>();
  return planned.map((one, index) => {
    if (one.runs !== undefined) return { ...one, attempts: one.runs - one.done };
    if (rule === undefined) return { ...one, attempts: 1 };
    // Without history, cases that always pass.
    const rate = rates?.[index] ?? 1;
    const mean = means.get(rate) ?? walk(rule.decide, rule.max, rate).runs;
    means.set(rate, mean);
    return { ...one, attempts: Math.max(0, mean - one.done) };
  });
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
