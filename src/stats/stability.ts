// Outcomes of the runs of one case in, stability figures out.

import { isMeasured } from '../model/outcome.ts';
import type { Counted } from '../model/settle.ts';
import { canonicalJson } from './canonical.ts';

/** The facts about a run that stability depends on. */
export type StabilityRun = Counted & { duration_ms: number; output?: unknown };

type StabilityClass = 'Stable' | 'Mostly Stable' | 'Unstable' | 'Highly Unstable';

/** Figures over the executed runs; rates and consistency over the measured runs only. */
export type Stability = {
  runs: number;
  passed: number;
  /** Every executed run that did not pass. */
  failed: number;
  pass_rate: number | null;
  consistency: number | null;
  stable: boolean;
  stability_class: StabilityClass | null;
  avg_duration_ms: number | null;
  min_duration_ms: number | null;
  max_duration_ms: number | null;
  std_deviation_ms: number | null;
};

/**
 * Measures how stable a case is.
 * @example measureStability([{ status: 'passed', duration_ms: 12, output: 'a' }]).pass_rate // 100
 */
export function measureStability(runs: readonly StabilityRun[]): Stability {
  const ran = runs.filter((run) => run.status !== 'skipped');
  const measured = ran.filter(isMeasured);
  const passed = ran.filter((run) => run.status === 'passed').length;
  return {
    runs: ran.length,
    passed,
    failed: ran.length - passed,
    pass_rate: measured.length === 0 ? null : round((100 * passed) / measured.length, 1),
    consistency: measureConsistency(measured),
    stable: ran.length > 0 && passed === ran.length,
    stability_class: classifyStability(passed, measured.length),
    ...durationFigures(ran.map((run) => run.duration_ms)),
  };
}

/** Takes counts instead of a rate because a rate that rounds to 100 need not be stable. */
function classifyStability(passed: number, measured: number): StabilityClass | null {
  if (measured === 0) return null;
  if (passed === measured) return 'Stable';
  const rate = (100 * passed) / measured;
  if (rate >= 80) return 'Mostly Stable';
  return rate >= 50 ? 'Unstable' : 'Highly Unstable';
}

/** The share of the most frequent answer. A missing answer counts as an answer: three timeouts agree with each other. */
function measureConsistency(measured: readonly StabilityRun[]): number | null {
  if (measured.length === 0) return null;
  if (measured.length === 1) return 1;
  const groups = new Map<string, number>();
  let largest = 0;
  for (const { output } of measured) {
    const answer = canonicalJson(output);
    const size = (groups.get(answer) ?? 0) + 1;
    groups.set(answer, size);
    largest = Math.max(largest, size);
  }
  return round(largest / measured.length, 2);
}

type Durations = Pick<
  Stability,
  'avg_duration_ms' | 'min_duration_ms' | 'max_duration_ms' | 'std_deviation_ms'
>;

function durationFigures(durations: readonly number[]): Durations {
  const count = durations.length;
  if (count === 0) {
    return { avg_duration_ms: null, min_duration_ms: null, max_duration_ms: null, std_deviation_ms: null };
  }
  let sum = 0;
  let least = Infinity;
  let most = -Infinity;
  for (const duration of durations) {
    sum += duration;
    least = Math.min(least, duration);
    most = Math.max(most, duration);
  }
  const mean = sum / count;
  const squares = durations.reduce((total, duration) => total + (duration - mean) ** 2, 0);
  return {
    avg_duration_ms: Math.round(mean),
    min_duration_ms: least,
    max_duration_ms: most,
    std_deviation_ms: round(Math.sqrt(squares / count), 1),
  };
}

function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
