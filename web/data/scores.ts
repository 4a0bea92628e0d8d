// Cases in, the scores of each metric out: its mean, and how the cases are spread.

import { groupNamer } from '../../src/model/cluster.ts';
import type { MetricSummary } from '../../src/model/scores.ts';
import { createMetricFold } from '../../src/stats/metric-fold.ts';
import { caseResult } from './figures.ts';
import type { RunData } from './run-data.ts';

export const BINS = 10;

/** `bins` counts cases by their mean score: from 0 to 0.1, from 0.1 to 0.2 and so on; the last one includes 1. */
export type MetricFigures = MetricSummary & { bins: number[] };

export function computeScores({ cases, start }: Pick<RunData, 'cases' | 'start'>): MetricFigures[] {
  const fold = createMetricFold();
  const groupOf = groupNamer({ flags: start?.flags ?? {} });
  const bins = new Map<string, number[]>();
  for (const one of cases) {
    const scores = caseResult(one)?.scores;
    if (scores === undefined) continue;
    const key = String(one.number);
    for (const { light } of one.attempts) fold.add(key, light);
    fold.end(key, groupOf(one.attempts[0].light));
    for (const [metric, score] of Object.entries(scores)) {
      const counts = bins.get(metric) ?? Array.from({ length: BINS }, () => 0);
      const at = Math.min(BINS - 1, Math.floor(score * BINS + 1e-9));
      counts[at] = (counts[at] ?? 0) + 1;
      bins.set(metric, counts);
    }
  }
  return (fold.result().metrics ?? []).map((metric) =>
    Object.assign(metric, { bins: bins.get(metric.metric) ?? [] }),
  );
}
