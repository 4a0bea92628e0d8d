// How likely cases are to pass a gate on each of them, at the rates they had so far.

import { logChoose } from './distributions.ts';
import { mean } from './moments.ts';

/** Passes and measured runs of a case; no runs: nothing is known of it. */
type History = { x: number; r: number };

/**
 * The likely rates of cases: passes/runs, drawn towards the mean of all cases as far as the noise explains why they differ. A case
 * without runs has the mean. Undefined if no case has runs. (Empirical Bayes, with beta-distributed rates.)
 */
export function likelyRates(histories: readonly History[], noise: number): number[] | undefined {
  const known = histories.filter(({ r }) => r > 0);
  if (known.length === 0) return undefined;
  const centre = mean(known.map(({ x, r }) => x / r));
  // The variance of rates between cases; as many imagined runs at the mean as noise and variance imply.
  const between = centre * (1 - centre) - noise;
  const imagined = noise === 0 ? 0 : between <= 1e-9 ? Infinity : noise / between;
  return histories.map(({ x, r }) =>
    r === 0 || imagined === Infinity ? centre : (x + imagined * centre) / (r + imagined),
  );
}

/** The chance that a case with this rate passes at least `needed` of `runs` runs. */
export function chanceOfPasses(rate: number, needed: number, runs: number): number {
  if (rate <= 0 || rate >= 1) return rate > 0 || needed <= 0 ? 1 : 0;
  let chance = 0;
  for (let passes = needed; passes <= runs; passes += 1)
    chance += Math.exp(
      logChoose(runs, passes) + passes * Math.log(rate) + (runs - passes) * Math.log(1 - rate),
    );
  return Math.min(1, chance);
}
