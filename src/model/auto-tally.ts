// Counts the runs of cases of `--runs auto`, in the order of runs; keeps only cases that are not decided in memory.

import type { AutoCounts } from './event.ts';
import type { AutoSettling, CaseEnd, Counted, RunCounts } from './settle.ts';
import { countRun, isSettled, noRuns, settleCounts } from './settle.ts';

export type AutoTally = {
  /** Counts one outcome; returns the end of its case if that needs no more runs. */
  add(caseKey: string, outcome: Counted): CaseEnd | undefined;
  counts(): AutoCounts;
};

export function createAutoTally(rule: AutoSettling): AutoTally {
  const open = new Map<string, RunCounts>();
  const ends = { passed: 0, failed: 0, undecided: 0 };
  let ended = 0;
  let runs = 0;
  return {
    add(caseKey, outcome) {
      if (outcome.status !== 'skipped') runs += 1;
      if (outcome.uncounted !== undefined) return undefined;
      const counts = open.get(caseKey) ?? noRuns();
      countRun(counts, outcome);
      // A run that was stopped ends the case.
      if (outcome.status !== 'skipped' && !isSettled(counts, rule)) {
        open.set(caseKey, counts);
        return undefined;
      }
      open.delete(caseKey);
      const end = settleCounts(counts, rule);
      if (end.status === 'skipped') return end;
      ended += 1;
      if (end.undecided === true) ends.undecided += 1;
      else if (end.status === 'passed') ends.passed += 1;
      else if (!end.unmeasured) ends.failed += 1;
      return end;
    },
    counts: () => ({ ...ends, runs, saved: Math.max(0, ended * rule.max - runs) }),
  };
}
