// Counts the results of a run that has no summary.

import type { ResultEvent, StartEvent, Summary } from '../../model/event.ts';
import { runsByTest } from '../../model/runs-per-case.ts';
import { createTally } from '../../model/tally.ts';
import { runSummary } from '../../stats/run-summary.ts';
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
  const missing = new Map<string, { count: number; runs: number }>();

  return {
    add(event) {
      const key = caseKeyOf(event);
      const runs = Math.max(1, runsOfTest(event.test_id));
      if (tally.add(key, event, runs)?.complete === true) missing.delete(key);
      else missing.set(key, { runs, count: (missing.get(key)?.count ?? runs) - 1 });
    },
    counts() {
      // A missing run counts as skipped.
      for (const [key, { count, runs }] of missing) {
        for (let left = count; left > 0; left -= 1) tally.add(key, { status: 'skipped' }, runs);
      }
      return { ...runSummary(tally, 0), duration_ms: null };
    },
  };
}
