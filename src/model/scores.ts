// Scores: figures from 0 to 1 that verdicts have, grouped by metric.

import type { ErrorCode, Status, Verdict } from './outcome.ts';
import { isMeasured } from './outcome.ts';

/** The part of a verdict that makes a score. */
export type Scored = Partial<Pick<Verdict, 'metric' | 'negate' | 'score' | 'status' | 'type'>>;

/** The sum of scores of attempts, and their number. */
export type ScoreSum = { sum: number; count: number };

/** The sums of a case, by metric. A map, because users name metrics. */
export type CaseScores = Map<string, ScoreSum>;

/** One metric of a run: the mean of case means, its 95 % interval for cases like these, and the lowest and highest case mean. */
export type MetricSummary = {
  metric: string;
  mean: number;
  interval?: { low: number; high: number };
  /** Cases with a score. */
  cases: number;
  min: number;
  max: number;
};

/** Averages scores while attempts arrive; keeps only unsettled cases in memory. */
export type MetricFold = {
  add(caseKey: string, outcome: ScoredOutcome): void;
  /** The case is settled. `group`: the group of related cases that it belongs to. */
  end(caseKey: string, group?: string): void;
  /** Empty if no case has a score. */
  result(): { metrics?: MetricSummary[]; metrics_left_out?: number };
};

export type ScoredOutcome = {
  status: Status;
  code?: ErrorCode | undefined;
  uncounted?: string | undefined;
  verdicts?: readonly Scored[] | undefined;
};

/** The metric that a verdict or an assertion belongs to: its own name for it, or its type. */
export function metricName({ metric, type = '' }: Pick<Scored, 'metric' | 'type'>): string {
  return metric ?? type;
}

/** The types of assertions that may have a score without a `metric`. */
export const SCORING_TYPES: ReadonlySet<string> = new Set([
  'agent',
  'bleu',
  'command',
  'expression',
  'levenshtein',
  'rouge',
  'script',
  'similar',
]);

/** True if the verdict has a score that counts. */
export function isScored({ score, status }: Scored): boolean {
  return typeof score === 'number' && Number.isFinite(score) && status !== 'error';
}

/**
 * The scores of one attempt by metric; undefined if it has none, does not count or could not be measured. Verdicts of the same
 * metric count with their mean. A score outside 0 to 1, like a negative similarity of vectors, counts as the nearest end. Of a negated
 * assertion, 1 − score counts.
 */
export function attemptScores(outcome: ScoredOutcome): ReadonlyMap<string, number> | undefined {
  const { verdicts, uncounted } = outcome;
  if (verdicts === undefined || uncounted !== undefined || !verdicts.some(isScored)) return undefined;
  if (!isMeasured({ status: outcome.status, ...(outcome.code !== undefined && { code: outcome.code }) }))
    return undefined;
  const sums: CaseScores = new Map();
  for (const verdict of verdicts)
    if (isScored(verdict)) addTo(sums, metricName(verdict), countedScore(verdict));
  return meanScores(sums);
}

function countedScore({ score = 0, negate }: Scored): number {
  const share = Math.min(1, Math.max(0, score));
  return negate === true ? 1 - share : share;
}

/** Adds the scores of an attempt to those of its case. */
export function addScores(sums: CaseScores, scores: ReadonlyMap<string, number>): void {
  for (const [metric, score] of scores) addTo(sums, metric, score);
}

/** The mean score of each metric. */
export function meanScores(sums: CaseScores): Map<string, number> {
  return new Map([...sums].map(([metric, { sum, count }]) => [metric, sum / count]));
}

/** A score without the tail of binary fractions. */
export function roundedScore(score: number): number {
  return Math.round(score * 1e4) / 1e4;
}

function addTo(sums: CaseScores, metric: string, score: number): void {
  const known = sums.get(metric);
  if (known === undefined) sums.set(metric, { sum: score, count: 1 });
  else {
    known.sum += score;
    known.count += 1;
  }
}
