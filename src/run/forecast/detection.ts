// The drop that a comparison would show, and the fewest runs that show one of the margin.

import { detectableDrop, noiseOf, USUAL_NOISE } from '../../stats/planning.ts';
import type { DropForecast, Forecast, PlannedBaseline } from './forecast.ts';
import type { PlannedCase } from './planned-cases.ts';

/** How the drop is shown for other numbers of runs, besides the planned one. */
const SHOWN_RUNS = [1, 2, 3, 5];
const MOST_RUNS = 100;

type Histories = readonly { x: number; r: number }[];

/** Of the runs of the baseline where cases ran twice in them, else of all earlier runs, else assumed. */
export function forecastNoise(cases: readonly PlannedCase[]): { value: number; assumed: boolean } {
  const value = noiseOf(baselineCounts(cases)) ?? noiseOf(allCounts(cases));
  return { value: value ?? USUAL_NOISE, assumed: value === undefined };
}

/** Passes and measured runs of each case: in the baseline, or in all earlier runs if it is not in the baseline. */
export function latestCounts(cases: readonly PlannedCase[]): Histories {
  const all = allCounts(cases);
  return baselineCounts(cases).map((counts, index) => (counts.r > 0 ? counts : (all[index] ?? counts)));
}

function baselineCounts(cases: readonly PlannedCase[]): Histories {
  return cases.map(({ past }) => ({ x: past?.baseline_passed ?? 0, r: past?.baseline_measured ?? 0 }));
}

function allCounts(cases: readonly PlannedCase[]): Histories {
  return cases.map(({ past }) => ({ x: past?.passed ?? 0, r: past?.measured ?? 0 }));
}

/** The median number of runs of the cases that the baseline has; undefined if it has none of them. */
export function describeBaseline(
  cases: readonly PlannedCase[],
  source: 'history' | 'named',
): PlannedBaseline | undefined {
  const runs = cases.flatMap(({ past }) =>
    past !== undefined && past.baseline_measured > 0 ? [past.baseline_measured] : [],
  );
  const median = runs.sort((a, b) => a - b)[Math.floor((runs.length - 1) / 2)];
  return median === undefined
    ? undefined
    : { source, runs: median, cases: runs.length, missing_cases: cases.length - runs.length };
}

/** The drops for the planned runs and for others. */
export function forecastDetection(
  baseline: PlannedBaseline,
  runs: number,
  noise: number,
): NonNullable<Forecast['detectable']> {
  const drop = (count: number): DropForecast => dropOf(baseline, count, noise);
  const shown = [...new Set([...SHOWN_RUNS, runs])].sort((a, b) => a - b);
  return { ...drop(runs), by_runs: shown.map((count) => Object.assign({ runs: count }, drop(count))) };
}

/** The fewest runs whose drop is within the margin, in points. */
export function fewestRuns(baseline: PlannedBaseline, noise: number, margin: number): number | undefined {
  for (let runs = 1; runs <= MOST_RUNS; runs += 1)
    if (dropOf(baseline, runs, noise).spread <= margin + 1e-9) return runs;
  return undefined;
}

/** In points, and in cases. A baseline of the same size has as many runs as the run itself. */
function dropOf({ source, runs: before, cases }: PlannedBaseline, runs: number, noise: number): DropForecast {
  const { spread, broken } = detectableDrop(cases, source === 'same_size' ? runs : before, runs, noise);
  return { spread: rounded(100 * spread), broken: Math.ceil(broken * cases - 1e-9) };
}

function rounded(points: number): number {
  return Math.round(points * 100) / 100;
}
