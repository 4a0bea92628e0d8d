// Counts the results of a run that has no summary.

import type { ResultEvent, StartEvent, Summary } from '../../model/event.ts';
import type { Counted } from '../../model/settle.ts';
import { runsByTest } from '../../model/runs-per-case.ts';
import { createTally } from '../../model/tally.ts';
import { runSummary } from '../../stats/run-summary.ts';
import { createClusterCounter } from './clusters.ts';
import { caseKeyOf, loggedMinPassRate } from './fold.ts';

/** Counts of a run; an unfinished one has no duration. */
export type Counts = Omit<Summary, 'duration_ms'> & { duration_ms: number | null };

export type Counter = { add(event: ResultEvent): void; counts(): Counts };

export function createCounter(start: StartEvent): Counter {
  const runsOfTest = runsByTest(start);
  const tally = createTally({
    runs: Math.max(1, start.runs_per_case),
    minPassRate: loggedMinPassRate(start),
  });
  const missing = new Map<string, { count: number; runs: number; last: ResultEvent }>();
  const clusters = createClusterCounter(start);

  function count(event: ResultEvent, outcome: Counted, key: string, runs: number): boolean {
    const settled = tally.add(key, outcome, runs);
    if (settled?.complete !== true) return false;
    clusters?.add(event, settled.end);
    return true;
  }

  return {
    add(event) {
      const key = caseKeyOf(event);
      const runs = Math.max(1, runsOfTest(event.test_id));
      if (count(event, event, key, runs)) missing.delete(key);
      else missing.set(key, { runs, count: (missing.get(key)?.count ?? runs) - 1, last: event });
    },
    counts() {
      // A missing run counts as skipped.
      for (const [key, { count: left, runs, last }] of missing) {
        for (let run = left; run > 0; run -= 1) count(last, { status: 'skipped' }, key, runs);
      }
      return { ...runSummary(tally, 0), ...clusters?.result(), duration_ms: null };
    },
  };
}
