// What a planned run could show, and how long it takes.

import { logChoose, normalQuantile, solveIncreasing } from './distributions.ts';
import { mean } from './moments.ts';

/** The mean of p(1 − p) over cases that is assumed where there is no history. */
export const USUAL_NOISE = 0.035;

/** Drops of the suite's rate that would be seen: spread over all cases, or as whole cases that break (at least `least`). */
export type DetectableDrop = { spread: number; broken: number; least: number };

/**
 * The drop that a comparison of `cases` cases with `ra` runs before and `rb` after shows with chance `power`.
 * @example detectableDrop(100, 3, 3, 0.035).spread // 0.058
 */
export function detectableDrop(
  cases: number,
  ra: number,
  rb: number,
  noise: number,
  { alpha = 0.05, power = 0.8 }: { alpha?: number; power?: number } = {},
): DetectableDrop {
  const z = normalQuantile(1 - alpha / 2);
  const zPower = normalQuantile(power);
  const still = noise * (1 / ra + 1 / rb);
  // A drop adds to the variance of the test, and to that of what is measured.
  const solve = (inTest: number, inMeasurement: number): number =>
    solveIncreasing(
      (drop) =>
        drop -
        z * Math.sqrt((still + drop * inTest) / cases) -
        zPower * Math.sqrt((still + drop * inMeasurement) / cases),
      0,
      0,
      1,
    );
  // Without any noise, so many complete breaks are needed before chance is excluded.
  const least = Math.ceil(Math.log(alpha) / -logChoose(ra + rb, rb) - 1e-9);
  return {
    spread: solve(1 / ra, 1 / rb),
    broken: Math.max(solve(1 / (ra + rb - 1), 0), least / cases),
    least,
  };
}

/** The mean of p(1 − p) over cases with at least two runs, without bias; nothing if there are none. */
export function noiseOf(histories: readonly { x: number; r: number }[]): number | undefined {
  const used = histories.filter(({ r }) => r > 1);
  return used.length === 0 ? undefined : mean(used.map(({ x, r }) => (x * (r - x)) / (r * (r - 1))));
}

/** The least and the most time that a run takes, from the mean durations of its cases. */
export function planTime(
  durationsMs: readonly number[],
  runs: number,
  parallel: number,
): { low: number; high: number } {
  let total = 0;
  let longest = 0;
  for (const duration of durationsMs) {
    total += duration * runs;
    longest = Math.max(longest, duration);
  }
  const busy = total / parallel;
  return { low: Math.max(longest, busy), high: busy + longest * (1 - 1 / parallel) };
}
