// The scores of two sides, metric by metric.

import type { ComparedMetric } from '../model/comparison.ts';
import { roundedScore } from '../model/scores.ts';
import { holm } from '../stats/models.ts';
import { mean } from '../stats/moments.ts';
import { isWithin } from '../stats/paired-cases.ts';
import { scoreDifference } from '../stats/score-difference.ts';
import type { CasePair } from './pair-cases.ts';
import type { Side, SideCase } from './side.ts';

export type ScoreComparison = {
  /** By name; empty if no case has a score on both sides. */
  metrics: ComparedMetric[];
  /** Metrics that have scores, and none of a case on both sides. */
  oneSided: string[];
};

/** Compares the case means of each metric; Holm's correction is over the metrics, so that many of them raise no more false alarms. */
export function compareScores(
  { before, after }: { before: Side; after: Side },
  pairs: readonly CasePair[],
  alpha: number,
): ScoreComparison {
  const scores = pairedScores(pairs);
  const names = [...scores.keys()].sort();
  const known = new Set([before, after].flatMap(({ cases }) => cases.flatMap((one) => metricsOf(one))));
  const tested = names.map((metric) => testMetric(metric, scores.get(metric) ?? [], alpha));
  return {
    metrics: holm(tested).map((one) => judgeMetric(one, alpha)),
    oneSided: [...known].filter((metric) => !scores.has(metric)).sort(),
  };
}

function judgeMetric({ adjusted, isDrop, ...facts }: TestedMetric, alpha: number): ComparedMetric {
  const verdict = !isWithin(adjusted, alpha) ? 'not_clear' : isDrop ? 'worse' : 'better';
  return { ...facts, p_adjusted: adjusted, verdict };
}

type TestedMetric = Omit<ComparedMetric, 'p_adjusted' | 'verdict'> & { adjusted: number; isDrop: boolean };

type ScorePair = { before: number; after: number };

function metricsOf({ scores }: SideCase): string[] {
  return scores === undefined ? [] : [...scores.keys()];
}

/** The case means of cases with the same content that have a score on both sides. */
function pairedScores(pairs: readonly CasePair[]): Map<string, ScorePair[]> {
  const found = new Map<string, ScorePair[]>();
  for (const { before, after, change } of pairs) {
    if (change === 'changed' || before?.scores === undefined || after?.scores === undefined) continue;
    for (const [metric, now] of after.scores) {
      const then = before.scores.get(metric);
      if (then === undefined) continue;
      const known = found.get(metric) ?? [];
      known.push({ before: then.sum / then.count, after: now.sum / now.count });
      found.set(metric, known);
    }
  }
  return found;
}

function testMetric(metric: string, scores: readonly ScorePair[], alpha: number): TestedMetric {
  const differences = scores.map(({ before, after }) => after - before);
  const { delta, low, high, pTwo } = scoreDifference(differences, { level: 1 - alpha });
  return {
    metric,
    cases: scores.length,
    before: roundedScore(mean(scores.map(({ before }) => before))),
    after: roundedScore(mean(scores.map(({ after }) => after))),
    difference: roundedScore(delta),
    low: roundedScore(low),
    high: roundedScore(high),
    p: pTwo,
    adjusted: pTwo,
    isDrop: delta < 0,
  };
}
