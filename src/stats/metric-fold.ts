// Averages the scores of a run by metric: first over the attempts of a case, then over cases.

import type { CaseScores, MetricFold, MetricSummary } from '../model/scores.ts';
import { addScores, attemptScores, meanScores, roundedScore } from '../model/scores.ts';
import type { RateFold } from './rate-fold.ts';
import { createRateFold } from './rate-fold.ts';

/** Metrics that a run has at most: more names are those of single cases, and would not stay in memory. */
export const MOST_METRICS = 200;

type Metric = { rates: RateFold; min: number; max: number };

/** Keeps a few numbers for each metric and group, and the sums of unsettled cases. */
export function createMetricFold(): MetricFold {
  const open = new Map<string, CaseScores>();
  const metrics = new Map<string, Metric>();
  let leftOut = 0;

  function addCase(name: string, score: number, group: string | undefined): void {
    const known = metrics.get(name);
    if (known === undefined && metrics.size >= MOST_METRICS) {
      leftOut += 1;
      return;
    }
    const metric = known ?? { rates: createRateFold(), min: Infinity, max: -Infinity };
    metrics.set(name, metric);
    metric.rates.add(score, group);
    metric.min = Math.min(metric.min, score);
    metric.max = Math.max(metric.max, score);
  }

  return {
    add(caseKey, outcome) {
      const scores = attemptScores(outcome);
      if (scores === undefined) return;
      const sums = open.get(caseKey) ?? new Map();
      addScores(sums, scores);
      open.set(caseKey, sums);
    },
    end(caseKey, group) {
      const sums = open.get(caseKey);
      if (sums === undefined) return;
      open.delete(caseKey);
      for (const [name, score] of meanScores(sums)) addCase(name, score, group);
    },
    result() {
      if (metrics.size === 0) return {};
      const sorted = [...metrics].sort(([a], [b]) => (a < b ? -1 : 1));
      return {
        metrics: sorted.map(([name, metric]) => toSummary(name, metric)),
        ...(leftOut > 0 && { metrics_left_out: leftOut }),
      };
    },
  };
}

function toSummary(name: string, { rates, min, max }: Metric): MetricSummary {
  const { count, sum, interval } = rates.result();
  return {
    metric: name,
    mean: roundedScore(sum / count),
    ...(interval !== undefined && { interval: scoreInterval(interval) }),
    cases: count,
    min: roundedScore(min),
    max: roundedScore(max),
  };
}

/** An interval in percent as one of scores. */
export function scoreInterval({ low, high }: { low: number; high: number }): { low: number; high: number } {
  return { low: roundedScore(low / 100), high: roundedScore(high / 100) };
}
