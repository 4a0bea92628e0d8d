// The summary on the terminal.

import type { SummaryEvent } from '../../model/event.ts';
import type { SkipReason } from '../../model/outcome.ts';
import { formatDuration } from '../../text/duration.ts';
import type { ByVariable } from '../fold/by-variable.ts';
import { counted } from '../text/run-words.ts';
import { spendingText } from '../text/spending-text.ts';
import type { Style } from './style.ts';
import { variableLines } from './variable-lines.ts';

/** One line for all cases that were not run: after a fail-fast there may be a million. */
export function notRunLine(reason: SkipReason, count: number, noun: string, style: Style): string {
  const why = reason === 'fail_fast' ? 'stopped after the first failure' : 'interrupted';
  const symbol = style.status.skipped(style.symbols.skipped);
  return `${symbol} ${counted(count, noun)} not run (${why})\n`;
}

export type SummaryLook = {
  width: number;
  noun: string;
  style: Style;
  /** True if the cases of any test have more than one run; the summary has only the default. */
  isRepeated: boolean;
  byVariable: ByVariable | undefined;
};

export function summaryLines(
  summary: SummaryEvent,
  { width, noun, style, isRepeated, byVariable }: SummaryLook,
): string {
  const double = `${style.doubleLine.repeat(width)}\n`;
  const { passed, failed, skipped, errors, timeouts } = summary;
  const parts = [
    passed > 0 ? style.green(`${passed} passed`) : `${passed} passed`,
    failed > 0 ? style.red(`${failed} failed`) : `${failed} failed`,
    `${skipped} skipped`,
  ];
  let text = `${double}  Summary: ${parts.join(', ')} (${formatDuration(summary.duration_ms)})\n`;
  if (errors > 0) text += `  Errors: ${errors}\n`;
  if (timeouts > 0) text += `  Timeouts: ${timeouts}\n`;
  const { checks } = summary;
  if (checks !== undefined) text += `  Checks: ${checks.passed} passed, ${checks.failed} failed\n`;
  if (isRepeated || summary.runs_per_case > 1) {
    const rate = summary.overall_pass_rate;
    const runs = `${summary.total_runs} runs`;
    text +=
      rate === null
        ? `  Pass rate: not measured (${runs})\n`
        : `  Pass rate: ${rate}% (mean of ${rated(summary, noun)}, ${runs})\n`;
    text += `  Stability: ${summary.stable_cases} stable, ${summary.unstable_cases} unstable\n`;
  }
  const spent = spendingText(summary);
  if (spent !== undefined) text += `  Models: ${spent}\n`;
  if (byVariable !== undefined) text += variableLines(byVariable, style);
  return text + double;
}

/** The cases with a pass rate. Cases with an error may not have one, and the counts do not show how many do. */
function rated({ passed, failed, errors }: SummaryEvent, noun: string): string {
  return errors > 0 ? `the ${noun}s measured` : counted(passed + failed, noun);
}
