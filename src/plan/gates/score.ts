// A gate on a metric: the mean of the case means of its scores.

import type { Attempt } from '../../model/attempt.ts';
import { caseKey } from '../../model/case-key.ts';
import type { ScoreSum } from '../../model/scores.ts';
import { attemptScores } from '../../model/scores.ts';
import { scoreInterval } from '../../stats/metric-fold.ts';
import { passRateInterval } from '../../stats/rates.ts';
import type { Heard } from '../decider.ts';
import { assertedMetrics } from './asserted-metrics.ts';
import type { GateWatch } from './gate-watch.ts';
import type { Gate } from './parse-gate.ts';
import { isSatisfied } from './parse-gate.ts';

/**
 * Never stops a run: a case has its score only when its last run has ended, and how many cases have one is not known before. A case
 * whose assertions name the metric may have no score: if that could change the answer, the gate is not measured.
 */
export function watchScore(gate: Gate, metric: string): GateWatch {
  const open = new Map<string, ScoreSum>();
  const scores = { count: 0, sum: 0, squares: 0 };
  let missing = 0;
  return {
    heard(attempt, outcome, about) {
      const score = attemptScores(outcome)?.get(metric);
      if (score === undefined) return;
      const key = keyOf(attempt, about);
      const { sum, count } = open.get(key) ?? { sum: 0, count: 0 };
      open.set(key, { sum: sum + score, count: count + 1 });
    },
    caseEnded(attempt, { status }, about) {
      const key = keyOf(attempt, about);
      const known = open.get(key);
      open.delete(key);
      if (known === undefined) {
        if (status !== 'skipped' && assertedMetrics(attempt.case).has(metric)) missing += 1;
        return;
      }
      const mean = known.sum / known.count;
      scores.count += 1;
      scores.sum += mean;
      scores.squares += mean * mean;
    },
    answer: () => undefined,
    measured() {
      const { count, sum } = scores;
      if (count === 0) return { metric, figure: null, message: `no case has a score for ${metric}` };
      const interval = passRateInterval(scores);
      const all = count + missing;
      // The mean if all missing scores were 0, and if they were 1.
      const isOpen = isSatisfied(gate, sum / all) !== isSatisfied(gate, (sum + missing) / all);
      return {
        metric,
        figure: sum / count,
        ...(interval !== undefined && { interval: scoreInterval(interval) }),
        ...(missing > 0 && { message: missingText(missing, all, isOpen) }),
        ...(isOpen && { isOpen }),
      };
    },
  };
}

function missingText(missing: number, all: number, isOpen: boolean): string {
  const which = `${missing} of ${all} cases ${missing === 1 ? 'has' : 'have'} no score`;
  return isOpen ? `${which}, and the answer depends on ${missing === 1 ? 'it' : 'them'}` : which;
}

function keyOf({ case: testCase }: Attempt, { target }: Heard): string {
  return caseKey(target.test_id, testCase.id, target.variables?.variant);
}
