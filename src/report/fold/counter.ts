// Counts the results of a run that has no summary.

import { groupNamer } from '../../model/cluster.ts';
import type { ResultEvent, StartEvent, Summary } from '../../model/event.ts';
import type { Counted } from '../../model/settle.ts';
import { createTally } from '../../model/tally.ts';
import { createMetricFold } from '../../stats/metric-fold.ts';
import { autoSettling, passRules } from '../../stats/pass-rules.ts';
import { runSummary } from '../../stats/run-summary.ts';
import { createClusterCounter } from './clusters.ts';
import { caseKeyOf, loggedMinPassRate } from './fold.ts';

/** Counts of a run; an unfinished one has no duration. */
export type Counts = Omit<Summary, 'duration_ms'> & { duration_ms: number | null };

export type Counter = { add(event: ResultEvent): void; counts(): Counts };

export function createCounter(start: StartEvent): Counter {
  const minPassRate = loggedMinPassRate(start);
  const rules = passRules(start, minPassRate);
  const { runs_rule: rule } = start;
  const auto = rule && autoSettling(rule);
  const tally = createTally({
    runs: Math.max(1, start.runs_per_case),
    minPassRate,
    auto,
    metrics: createMetricFold(),
  });
  const missing = new Map<string, { count: number; runs: number | undefined; last: ResultEvent }>();
  const clusters = createClusterCounter(start);
  const groupOf = groupNamer(start);

  function count(
    event: ResultEvent,
    outcome: Counted,
    key: string,
    runs: number | undefined,
    times = 1,
  ): boolean {
    const settled = tally.add(key, outcome, runs, times, groupOf(event));
    if (settled?.complete !== true) return false;
    clusters?.add(event, settled.end);
    return true;
  }

  return {
    add(event) {
      const key = caseKeyOf(event);
      const rule = rules(event.test_id);
      const isAuto = typeof rule.passRule === 'object';
      const runs = isAuto ? undefined : Math.max(1, rule.runs);
      const isComplete = count(event, event, key, runs);
      if (event.uncounted !== undefined) return;
      if (isComplete) missing.delete(key);
      // A skipped run ends a case of `--runs auto`.
      else if (runs === undefined) missing.set(key, { runs, count: 1, last: event });
      else missing.set(key, { runs, count: (missing.get(key)?.count ?? runs) - 1, last: event });
    },
    counts() {
      // A missing run counts as skipped.
      for (const [key, { count: left, runs, last }] of missing)
        if (left > 0) count(last, { status: 'skipped' }, key, runs, left);
      return { ...runSummary(tally, 0), ...clusters?.result(), duration_ms: null };
    },
  };
}
