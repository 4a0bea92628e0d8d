// The noise of a suite, from its own repetitions.

import { normalQuantile } from '../stats/distributions.ts';
import { detectableDrop, noiseOf } from '../stats/planning.ts';
import type { Side } from './side.ts';

export type NoiseFloor = {
  /** Cases with at least two measured runs, and the most measured runs of one. */
  cases: number;
  runs: number;
  /** Points that chance alone moves the pass rate between two comparisons of one, two … runs each, in 95 of 100. */
  by_runs: { runs: number; chance: number; detectable: number }[];
  /** Cases that disagree with themselves, those that flip most first. */
  flipping: {
    test_id: string;
    case_id: string;
    variables: Record<string, unknown> | null;
    passed: number;
    measured: number;
  }[];
};

/** Undefined if no case was measured twice. */
export function noiseFloor({ cases }: Side): NoiseFloor | undefined {
  const repeated = cases.filter(({ measured }) => measured > 1);
  const noise = noiseOf(repeated.map(({ passed, measured }) => ({ x: passed, r: measured })));
  if (noise === undefined) return undefined;
  const runs = Math.max(...repeated.map(({ measured }) => measured));
  const n = repeated.length;
  const z = normalQuantile(0.975);
  return {
    cases: n,
    runs,
    by_runs: [...new Set([1, 2, 3, 5, 10, runs])]
      .sort((a, b) => a - b)
      .map((count) => ({
        runs: count,
        chance: tenths(100 * z * Math.sqrt((2 * noise) / (n * count))),
        detectable: tenths(100 * detectableDrop(n, count, count, noise).spread),
      })),
    flipping: repeated
      .filter(({ passed, measured }) => passed > 0 && passed < measured)
      .map(({ test_id, case_id, variables, passed, measured }) => ({
        test_id,
        case_id,
        variables,
        passed,
        measured,
      }))
      .sort((a, b) => spread(b) - spread(a)),
  };
}

function spread({ passed, measured }: { passed: number; measured: number }): number {
  return (passed * (measured - passed)) / (measured * (measured - 1));
}

function tenths(value: number): number {
  return Math.round(10 * value) / 10;
}
