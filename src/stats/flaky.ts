// The outcomes of one unchanged case, oldest first: steady, flaky, or changed once?

import { binomialCdf, logChoose } from './distributions.ts';

/** The chance that two runs of a case disagree, from `passes` of `runs`. */
export function flipRate(passes: number, runs: number): number {
  return (2 * (passes + 0.5) * (runs - passes + 0.5)) / ((runs + 1) * (runs + 2));
}

/** The number of runs with the rarer outcome that makes a case flaky: few cases that err once in a hundred runs have as many. */
export function flakyAt(runs: number, { rare = 0.01, alpha = 0.05 } = {}): number {
  for (let rarer = 1; rarer <= runs; rarer += 1)
    if (1 - binomialCdf(rarer - 1, runs, rare) <= alpha) return Math.max(2, rarer);
  return runs + 1;
}

/** The number of streaks of equal outcomes, and the chance of so few in random order. Few streaks: it changed once. */
export function streaksTest(outcomes: readonly boolean[]): { streaks: number; p: number } {
  const passes = outcomes.filter(Boolean).length;
  const failures = outcomes.length - passes;
  if (passes === 0 || failures === 0) return { streaks: Math.min(1, outcomes.length), p: 1 };
  let streaks = 1;
  for (const [at, outcome] of outcomes.entries()) if (at > 0 && outcome !== outcomes[at - 1]) streaks += 1;
  const all = logChoose(outcomes.length, passes);
  /** Orders with so many streaks of passes and of failures. */
  const orders = (ofPasses: number, ofFailures: number): number =>
    Math.exp(logChoose(passes - 1, ofPasses - 1) + logChoose(failures - 1, ofFailures - 1) - all);
  let p = 0;
  for (let count = 2; count <= streaks; count += 1) {
    const half = Math.floor(count / 2);
    p += count % 2 === 0 ? 2 * orders(half, half) : orders(half + 1, half) + orders(half, half + 1);
  }
  return { streaks, p: Math.min(1, p) };
}

/** steady: always the same; unclear: too few runs or flips to say; flaky: flips; changed: flipped once and stayed. */
export type HistoryKind = 'steady' | 'unclear' | 'flaky' | 'changed';

/** Describes the measured outcomes of one case with one fingerprint, oldest first. */
export function historyOf(outcomes: readonly boolean[]): { kind: HistoryKind; flip: number } {
  const runs = outcomes.length;
  const passes = outcomes.filter(Boolean).length;
  const rarer = Math.min(passes, runs - passes);
  const flip = flipRate(passes, runs);
  if (runs < 5 || rarer < flakyAt(runs)) return { kind: rarer === 0 ? 'steady' : 'unclear', flip };
  const isChanged = streaksTest(outcomes).p <= 0.05 && hasStayed(outcomes);
  return { kind: isChanged ? 'changed' : 'flaky', flip };
}

/** True if a change explains the outcomes best after which all are the same, and most before it were the opposite. */
function hasStayed(outcomes: readonly boolean[]): boolean {
  const last = outcomes.at(-1);
  const since = outcomes.findLastIndex((outcome) => outcome !== last) + 1;
  const opposite = outcomes.slice(0, since).filter((outcome) => outcome !== last).length;
  return 2 * opposite > since && since === changePoint(outcomes);
}

/** The number of outcomes before the most likely change of the rate; the latest of several. */
function changePoint(outcomes: readonly boolean[]): number {
  const all = outcomes.filter(Boolean).length;
  let best = { at: 0, likelihood: -Infinity };
  let passes = 0;
  for (let at = 1; at < outcomes.length; at += 1) {
    if (outcomes[at - 1] === true) passes += 1;
    const likelihood = logLikelihood(passes, at) + logLikelihood(all - passes, outcomes.length - at);
    if (likelihood >= best.likelihood - 1e-9) best = { at, likelihood };
  }
  return best.at;
}

/** Of `passes` in `runs` at the rate that they show. */
function logLikelihood(passes: number, runs: number): number {
  const part = (count: number): number => (count === 0 ? 0 : count * Math.log(count / runs));
  return part(passes) + part(runs - passes);
}
