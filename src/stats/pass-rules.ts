// How the cases of a run are settled: the number of runs of each test, and when a case has passed.

import type { StartEvent } from '../model/event.ts';
import type { RunsRule } from '../model/runs-rule.ts';
import { runsByTest } from '../model/runs-per-case.ts';
import type { AutoSettling, PassRule } from '../model/settle.ts';
import { autoRate, autoRule } from './auto-rule.ts';

/** How the cases of one test are settled. With `--runs auto`, `runs` is the largest number. */
export type CaseRule = { runs: number; passRule: PassRule };

type Logged = Pick<StartEvent, 'inputs' | 'runs_per_case' | 'runs_rule'>;

/** Maps a `test_id` to the rule of its cases. In a run with `runs_rule`, a test with a number of its own has that many. */
export function passRules(start: Logged, minPassRate: number | undefined): (testId: string) => CaseRule {
  const runsOfTest = runsByTest(start);
  const { runs_rule: rule, inputs } = start;
  if (rule === undefined) return (testId) => ({ runs: runsOfTest(testId), passRule: minPassRate });
  const auto = autoSettling(rule);
  const fixed = new Set(inputs.flatMap(({ test_id, runs }) => (runs === undefined ? [] : [test_id])));
  return (testId) => ({ runs: runsOfTest(testId), passRule: fixed.has(testId) ? undefined : auto });
}

let last: { text: string; settling: AutoSettling } | undefined;

/** The rule, ready to settle cases. Runs of a history mostly have the same one, so that the last one is kept. */
export function autoSettling(rule: RunsRule): AutoSettling {
  const text = JSON.stringify(rule);
  if (last?.text === text) return last.settling;
  const { low, high, min, max, confidence, undecided } = rule;
  const { decide } = autoRule(low, high, { alpha: alphaOf(confidence), min, max });
  const rates = new Map<number, number>();
  const settling: AutoSettling = {
    max,
    undecided,
    decide,
    rate(passes, runs) {
      const place = runs * (max + 1) + passes;
      const rate = rates.get(place) ?? autoRate(passes, runs, { decide });
      rates.set(place, rate);
      return rate;
    },
  };
  last = { text, settling };
  return settling;
}

/** The chance of each wrong answer, without the digits that a subtraction adds. */
export function alphaOf(confidence: number): number {
  return Math.round(1e9 * (1 - confidence)) / 1e9;
}
