// How many further runs of two models would show which is better.

import { moreRuns } from './compare-runs.ts';
import { normalQuantile, tQuantile } from './distributions.ts';
import { groupDifferences } from './models.ts';
import { mean, variance } from './moments.ts';
import type { PairedCounts } from './paired-cases.ts';
import { isMeasuredTwice } from './paired-cases.ts';

/**
 * The number of further runs of both that decide with chance `power`, if the difference is as it looks now. It must show on
 * this suite and for cases like these; runs do not help against differences between cases, so there may be no such number.
 */
export function moreRunsOfBoth(
  cases: readonly PairedCounts[],
  {
    groups,
    alpha = 0.05,
    power = 0.8,
    limit = 100,
  }: { groups?: ArrayLike<number> | undefined; alpha?: number; power?: number; limit?: number } = {},
): number | undefined {
  const differences = groupDifferences(cases, groups);
  if (differences.length < 2) return undefined;
  const delta = mean(differences);
  const measured = cases.filter(isMeasuredTwice);
  // The better one is the first, so that the difference to show is a drop.
  const turned =
    delta > 0 ? measured.map(({ xa, ra, xb, rb }) => ({ xa: xb, ra: rb, xb: xa, rb: ra })) : measured;
  const { both, noise: pooled } = moreRuns(turned, { margin: 0, alpha, power, limit });
  if (both === undefined) return undefined;

  const noise = noiseWithin(measured) ?? pooled;
  const perGroup = measured.length / differences.length;
  const inverse = mean(measured.map(({ ra, rb }) => 1 / ra + 1 / rb));
  const between = Math.max(0, variance(differences) - (noise * inverse) / perGroup);
  const reach = tQuantile(1 - alpha / 2, differences.length - 1) + normalQuantile(power);
  for (let runs = both; runs <= limit; runs += 1) {
    const spread = (between + (2 * noise) / (runs * perGroup)) / differences.length;
    if (reach * Math.sqrt(spread) > Math.abs(delta)) continue;
    const known = Math.round(mean(measured.map(({ ra, rb }) => Math.min(ra, rb))));
    return Math.max(1, runs - known);
  }
  return undefined;
}

/** The mean variance of one run of a case, from sides with several runs; undefined without any. */
function noiseWithin(cases: readonly PairedCounts[]): number | undefined {
  let sum = 0;
  let sides = 0;
  for (const { xa, ra, xb, rb } of cases) {
    for (const [x, r] of [
      [xa, ra],
      [xb, rb],
    ] as const) {
      if (r < 2) continue;
      sum += (x * (r - x)) / (r * (r - 1));
      sides += 1;
    }
  }
  return sides === 0 ? undefined : sum / sides;
}
