// How many attempts cases take that run until they are decided.

import type { AutoRule } from '../../stats/auto-rule.ts';
import { walk } from '../../stats/auto-rule.ts';

/** The runs of a case: their mean and variance. */
export type RunsOfCase = { mean: number; variance: number };

/** Rates are estimates, which adds to what chance alone does. */
const MARGIN = 0.1;

/** Gives the runs of a case by its rate. Cases of the same rate are computed once. */
export function runsByRate(rule: AutoRule): (rate: number) => RunsOfCase {
  const known = new Map<number, RunsOfCase>();
  return (rate) => {
    const found = known.get(rate) ?? runsAt(rule, rate);
    known.set(rate, found);
    return found;
  };
}

/** From the chance that a case is still open after so many runs. */
function runsAt({ decide, max }: AutoRule, rate: number): RunsOfCase {
  let mean = 0;
  let square = 0;
  for (let done = 0; done < max; done += 1) {
    const open = walk(decide, done, rate).undecided;
    mean += open;
    square += (2 * done + 1) * open;
  }
  return { mean, variance: Math.max(0, square - mean * mean) };
}

/** Two standard errors and a margin around the mean, within what the rule allows. */
export function attemptsRange(
  { attempts, variance }: { attempts: number; variance: number },
  { least, most }: { least: number; most: number },
): { low: number; high: number } {
  const spread = 2 * Math.sqrt(variance);
  return {
    low: Math.min(attempts, Math.max(least, Math.floor(attempts * (1 - MARGIN) - spread))),
    high: Math.max(attempts, Math.min(most, Math.ceil(attempts * (1 + MARGIN) + spread))),
  };
}
