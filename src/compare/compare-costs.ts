// Durations, cost and tokens of two sides.

import { RUNS_FOR_RUN_EFFECT } from '../stats/compare-runs.ts';
import { ratioAgainstRuns, ratioOf } from '../stats/ratios.ts';
import type { Comparison, RatioVerdict } from '../model/comparison.ts';
import type { MeasuredPair } from './pair-cases.ts';

type Measure = 'cost_usd' | 'duration_ms' | 'tokens';

/** From this ratio on more is called more. */
const NOTICEABLE = 1.1;
/** Cases that are compared with each of many runs: more take long, and tell hardly more. */
const MOST = 2000;

export function compareCosts(
  compared: readonly MeasuredPair[],
  baselineRuns: number,
): Pick<Comparison, 'cost' | 'durations' | 'tokens'> {
  const compare = (measure: Measure): RatioVerdict | null => compareMeasure(compared, measure, baselineRuns);
  return { durations: compare('duration_ms'), cost: compare('cost_usd'), tokens: compare('tokens') };
}

function compareMeasure(
  compared: readonly MeasuredPair[],
  measure: Measure,
  baselineRuns: number,
): RatioVerdict | null {
  const used = compared.filter(
    ({ before, after }) => isPositive(before[measure]) && isPositive(after[measure]),
  );
  if (baselineRuns >= RUNS_FOR_RUN_EFFECT) {
    const whole = evenly(
      used.filter(({ before }) => before.by_run?.every((run) => isPositive(run?.[measure])) === true),
    );
    const found = ratioAgainstRuns(
      Array.from({ length: baselineRuns }, (_, at) =>
        whole.map(({ before }) => before.by_run?.[at]?.[measure] ?? Number.NaN),
      ),
      whole.map(({ after }) => after[measure] ?? Number.NaN),
    );
    if (found?.isSure === true) return { ...rounded(found), cases: whole.length, verdict: judgeRatio(found) };
  }
  const found = ratioOf(used.map(({ before, after }) => (after[measure] ?? 1) / (before[measure] ?? 1)));
  return found === undefined ? null : { ...rounded(found), cases: used.length, verdict: null };
}

/** At most `MOST` of the pairs, at equal distances. */
function evenly(pairs: readonly MeasuredPair[]): readonly MeasuredPair[] {
  if (pairs.length <= MOST) return pairs;
  return Array.from({ length: MOST }, (_, at) => pairs[Math.floor((at * pairs.length) / MOST)]).filter(
    (pair) => pair !== undefined,
  );
}

function judgeRatio({
  ratio,
  low,
  high,
}: {
  ratio: number;
  low: number;
  high: number;
}): RatioVerdict['verdict'] {
  if (low > 1 && ratio >= NOTICEABLE) return 'more';
  return high < NOTICEABLE ? 'not_more' : 'undecided';
}

function isPositive(value: number | null | undefined): boolean {
  return typeof value === 'number' && value > 0;
}

function rounded({ ratio, low, high }: { ratio: number; low: number; high: number }) {
  const digits = (value: number): number => Math.round(value * 1e4) / 1e4;
  return { ratio: digits(ratio), low: digits(low), high: digits(high) };
}
