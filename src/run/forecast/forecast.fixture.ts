// Planned cases for tests.

import type { CaseFigures } from '../../history/store/store.ts';
import type { PastRun } from './cost.ts';
import type { ForecastOptions } from './make-forecast.ts';
import type { PlannedCase } from './planned-cases.ts';

/** What is known of a case that passed 10 of 10 runs, each for a cent and a second. */
export function figures(fields: Partial<CaseFigures> = {}): CaseFigures {
  return {
    attempts: 10,
    cost_usd: 0.1,
    unpriced: 0,
    passed: 10,
    measured: 10,
    duration_ms: 10_000,
    baseline_passed: 10,
    baseline_measured: 10,
    ...fields,
  };
}

/** So many cases of an agent, one run each, one at a time. */
export function planned(
  count: number,
  past: CaseFigures | undefined,
  fields: Partial<PlannedCase> = {},
): PlannedCase[] {
  return Array.from({ length: count }, () => ({
    test_id: 'cases.jsonl',
    kind: 'agent-eval',
    runs: 1,
    done: 0,
    parallel: 1,
    runsWhole: false,
    past,
    ...fields,
  }));
}

/** A run of ten cases that took as long as its attempts and paid nothing else. */
export function pastRun(fields: Partial<PastRun> = {}): PastRun {
  return {
    cases: 10,
    attempts: 10,
    case_cost_usd: 0.1,
    cost_usd: 0.1,
    attempts_ms: 10_000,
    wall_ms: 10_000,
    parallel: 1,
    ...fields,
  };
}

export const OPTIONS: ForecastOptions = {
  runs: [],
  baseline: 'history',
  margin: 5,
  minPassRate: undefined,
  rule: undefined,
  isReplay: false,
  hasGate: false,
};
