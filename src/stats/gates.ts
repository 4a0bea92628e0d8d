// Gates that decide while a run is on: against a baseline in a few looks, against a rate after any round.

import type { ComparisonVerdict } from '../model/comparison.ts';
import { judgeDifference } from './compare-runs.ts';
import { normalCdf, normalQuantile, solveIncreasing } from './distributions.ts';
import type { Difference, PairedCounts } from './paired-cases.ts';
import { difference } from './paired-cases.ts';

/** Rounds after which a comparison is looked at, and the one-sided level of each look. */
export type Looks = { rounds: readonly number[]; level: number };

/** The usual looks: 2.5 % in total (Pocock's boundary). */
export const LOOKS: Looks = { rounds: [1, 2, 4, 7, 10], level: 0.006913 };

/** The looks of a comparison of at most `max` rounds. The last round is always looked at. */
export function looksWithin(max: number, alpha = 0.05): Looks {
  const rounds = [...LOOKS.rounds.filter((round) => round < max), max];
  if (alpha === 0.05 && rounds.join() === LOOKS.rounds.join()) return LOOKS;
  return { rounds, level: lookLevel(rounds, alpha / 2) };
}

/**
 * The level of each look for which the chance that any look rejects is `total` if nothing changed. Exact for a baseline of
 * very many runs; a smaller baseline makes looks more alike, and the chance smaller.
 */
export function lookLevel(rounds: readonly number[], total = 0.025): number {
  const accepted = (level: number): number => 1 - total - chanceOfNoRejection(rounds, normalQuantile(level));
  return solveIncreasing(accepted, 0, total / rounds.length, total);
}

/** Integrates the path of a sum of normal rounds step by step over the region where no look rejects (z > limit). */
function chanceOfNoRejection(rounds: readonly number[], limit: number): number {
  const steps = 400;
  let before: { sum: number; weight: number }[] = [{ sum: 0, weight: 1 }];
  let done = 0;
  let kept = 1;
  for (const [at, round] of rounds.entries()) {
    const deviation = Math.sqrt(round - done);
    const low = limit * Math.sqrt(round);
    done = round;
    kept = before.reduce((sum, one) => sum + one.weight * normalCdf((one.sum - low) / deviation), 0);
    if (at === rounds.length - 1) break;
    const high = 8 * Math.sqrt(round);
    const width = (high - low) / steps;
    before = Array.from({ length: steps + 1 }, (_, step) => {
      const sum = low + step * width;
      let density = 0;
      for (const one of before) density += one.weight * Math.exp(-(((sum - one.sum) / deviation) ** 2) / 2);
      // Simpson's rule.
      const share = (step === 0 || step === steps ? 1 : step % 2 === 1 ? 4 : 2) / 3;
      return { sum, weight: (share * width * density) / (deviation * Math.sqrt(2 * Math.PI)) };
    });
  }
  return kept;
}

/** One look at a comparison, with `undecided` for "go on". */
export type Look = Difference & { verdict: ComparisonVerdict };

/** Looks at all cases after a complete round: their counts over all rounds so far. */
export function lookAtRounds(
  cases: readonly PairedCounts[],
  { margin = 0.05, level = LOOKS.level }: { margin?: number; level?: number } = {},
): Look {
  const found = difference(cases, { level: 1 - 2 * level });
  const verdict = judgeDifference(found, { alpha: level, margin });
  // A gate asks for "not worse than the margin": an improvement that is only likely goes on.
  return { ...found, verdict: verdict === 'better' && found.low <= -margin ? 'undecided' : verdict };
}

/** Where a gate stands after a round. */
export type GateState = {
  verdict: 'pass' | 'fail' | 'undecided';
  round: number;
  wealthUp: number;
  wealthDown: number;
};

/** The amounts that are bet at once. */
const BETS = [0.05, 0.1, 0.2, 0.4, 0.8];

/**
 * A gate on the pass rate of this suite. Feed it complete rounds of all cases; it may be asked after every one, and is wrong with
 * a chance of at most `alpha` on each side. It bets against "rate ≤ target" and against "rate ≥ target": what a case was
 * so far is taken off, and wealth that a bettor in the wrong cannot be expected to gain is evidence.
 */
export function suiteGate(
  count: number,
  target: number,
  { alpha = 0.025, bets = BETS }: { alpha?: number; bets?: readonly number[] } = {},
): { addRound: (outcomes: readonly (boolean | undefined)[]) => GateState } {
  const passes = new Float64Array(count);
  const runs = new Float64Array(count);
  const expected = new Float64Array(count).fill(target);
  const logUp = bets.map(() => 0);
  const logDown = bets.map(() => 0);
  let state: GateState = { verdict: 'undecided', round: 0, wealthUp: 1, wealthDown: 1 };

  /** Outcomes of all cases in their order; undefined: could not be measured, which is no evidence. */
  function addRound(outcomes: readonly (boolean | undefined)[]): GateState {
    if (state.verdict !== 'undecided') return state;
    const measured = outcomes.flatMap((outcome, at) => (outcome === undefined ? [] : [at]));
    const middle = measured.reduce((sum, at) => sum + (expected[at] ?? 0), 0) / measured.length;
    // Keeps every factor above 0.
    const most = 0.95 / (1 + Math.abs(middle - target));
    for (const at of measured) {
      const passed = outcomes[at] === true ? 1 : 0;
      const surprise = passed - (expected[at] ?? 0) + middle - target;
      for (const [place, bet] of bets.entries()) {
        const factor = Math.min(bet, most) * surprise;
        logUp[place] = (logUp[place] ?? 0) + Math.log1p(factor);
        logDown[place] = (logDown[place] ?? 0) + Math.log1p(-factor);
      }
      passes[at] = (passes[at] ?? 0) + passed;
      runs[at] = (runs[at] ?? 0) + 1;
    }
    learn();
    const wealthUp = wealth(logUp);
    const wealthDown = wealth(logDown);
    const enough = 1 / alpha;
    const verdict = wealthUp >= enough ? 'pass' : wealthDown >= enough ? 'fail' : 'undecided';
    state = { verdict, round: state.round + 1, wealthUp, wealthDown };
    return state;
  }

  /** What each case is expected to do next: its own rate, pulled a little to the suite's. */
  function learn(): void {
    const total = runs.reduce((sum, value) => sum + value, 0);
    if (total === 0) return;
    const rate = passes.reduce((sum, value) => sum + value, 0) / total;
    for (let at = 0; at < count; at += 1)
      expected[at] = ((passes[at] ?? 0) + 0.5 * rate) / ((runs[at] ?? 0) + 0.5);
  }

  return { addRound };
}

function wealth(logs: readonly number[]): number {
  return logs.reduce((sum, log) => sum + Math.exp(log), 0) / logs.length;
}

/** Planned runs of a case, passes so far, and runs that are left. */
export type Planned = { planned: number; passes: number; left: number };

/** Whether the answer of the full run to "mean rate ≥ target" is certain by now. */
export function certainGate(cases: readonly Planned[], target: number): 'pass' | 'fail' | 'undecided' {
  let least = 0;
  let most = 0;
  for (const { planned, passes, left } of cases) {
    least += passes / planned;
    most += (passes + left) / planned;
  }
  if (least / cases.length >= target - 1e-9) return 'pass';
  return most / cases.length < target - 1e-9 ? 'fail' : 'undecided';
}
