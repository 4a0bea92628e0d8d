// `--runs auto` in words, for every report.

import type { StartEvent, Summary } from '../../model/event.ts';
import type { RunsRule } from '../../model/runs-rule.ts';
import { MOST_RUNS } from '../../model/runs-rule.ts';
import { wilsonInterval } from '../../stats/rates.ts';
import { groupDigits } from '../../text/group-digits.ts';
import type { CaseResult } from '../fold/case-result.ts';

/** `target 80 % (pass 90 % or better, fail 70 % or worse, wrong at most 1 time in 20)` */
export function ruleText({ target, low, high, confidence }: RunsRule): string {
  const percent = (share: number): string => `${String(Math.round(1e4 * share) / 100)} %`;
  const times = groupDigits(Math.round(1 / (1 - confidence)));
  return `target ${String(target)} % (pass ${percent(high)} or better, fail ${percent(low)} or worse, wrong at most 1 time in ${times})`;
}

/** `78 passed · 14 failed · 8 undecided after 20 runs`, `838 runs, 1,162 saved against 20 each`; empty unless runs were auto. */
export function autoTexts({ auto, runs_per_case: max }: Pick<Summary, 'auto' | 'runs_per_case'>): string[] {
  if (auto === undefined) return [];
  const { passed, failed, undecided, runs, saved } = auto;
  return [
    `${groupDigits(passed)} passed · ${groupDigits(failed)} failed · ${groupDigits(undecided)} undecided after ${String(max)} runs`,
    `${groupDigits(runs)} runs, ${groupDigits(saved)} saved against ${String(max)} each`,
  ];
}

/** What would decide more cases; undefined if all are decided or there is no more. */
export function moreRunsHint(
  start: Pick<StartEvent, 'runs_rule'>,
  { auto }: Pick<Summary, 'auto'>,
): string | undefined {
  const { max = 0 } = start.runs_rule ?? {};
  const more = Math.min(MOST_RUNS, 2 * max);
  if (auto === undefined || auto.undecided === 0 || more <= max) return undefined;
  return `--max-runs ${String(more)} would decide more of them`;
}

/** `undecided, rate 81% (58 to 92)`; empty for a case that was decided. */
export function undecidedText({ undecided, pass_rate, passed, runs }: CaseResult): string {
  if (undecided !== true) return '';
  const interval = wilsonInterval(passed, runs);
  const between =
    interval === undefined
      ? ''
      : ` (${String(Math.round(interval.low))} to ${String(Math.round(interval.high))})`;
  return `undecided, rate ${pass_rate === null ? 'unknown' : `${String(Math.round(pass_rate))}%${between}`}`;
}
