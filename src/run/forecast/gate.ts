// How likely the cases are to pass the gate that every run has: each case must pass.

import { noRuns, settleCounts } from '../../model/settle.ts';
import { chanceOfPasses, likelyRates } from '../../stats/gate-chance.ts';
import { mean } from '../../stats/moments.ts';
import { noiseOf } from '../../stats/planning.ts';
import { latestCounts } from './detection.ts';
import type { GateForecast } from './forecast.ts';
import type { PlannedCase } from './planned-cases.ts';

/** The rates that cases are likely to have; undefined if none has run before. */
export function ratesOf(cases: readonly PlannedCase[], noise: number): number[] | undefined {
  const counts = latestCounts(cases);
  return likelyRates(counts, noiseOf(counts) ?? noise);
}

/** Undefined if no case has run before, or if cases run until they are decided. */
export function forecastGate(
  cases: readonly PlannedCase[],
  noise: number,
  minPassRate: number | undefined,
): GateForecast | undefined {
  const rates = ratesOf(cases, noise);
  if (rates === undefined || cases.some(({ runs }) => runs === undefined)) return undefined;
  const needed = new Map<number, number>();
  let chance = 1;
  for (const [index, { runs = 1 }] of cases.entries()) {
    const passes = needed.get(runs) ?? passesNeeded(runs, minPassRate);
    needed.set(runs, passes);
    chance *= chanceOfPasses(rates[index] ?? 0, passes, runs);
  }
  return {
    chance: Number(chance.toPrecision(3)),
    passes_needed: Math.max(...needed.values()),
    never_passed: latestCounts(cases).filter(({ x, r }) => r > 1 && x === 0).length,
    suggested_pass_rate: Math.min(minPassRate ?? 100, safePassRate(rates, cases, noise)),
  };
}

/** A pass rate that noise alone hardly ever goes below (two standard errors), in steps of 5 percent. */
function safePassRate(rates: readonly number[], cases: readonly PlannedCase[], noise: number): number {
  const attempts = cases.reduce((sum, { runs = 1 }) => sum + runs, 0);
  const low = mean(rates) - 2 * Math.sqrt(noise / attempts);
  return Math.max(5, 5 * Math.floor(20 * low + 1e-9));
}

/** The fewest passes with which a case of so many runs passes. */
function passesNeeded(runs: number, minPassRate: number | undefined): number {
  for (let passed = 1; passed < runs; passed += 1) {
    const { status } = settleCounts({ ...noRuns(), passed, failed: runs - passed }, minPassRate);
    if (status === 'passed') return passed;
  }
  return runs;
}
