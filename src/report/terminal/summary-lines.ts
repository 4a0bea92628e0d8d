// The summary on the terminal.

import type { SummaryEvent } from '../../model/event.ts';
import type { RunsRule } from '../../model/runs-rule.ts';
import type { SkipReason } from '../../model/outcome.ts';
import type { QuarantineCounts } from '../../model/quarantine.ts';
import { formatDuration } from '../../text/duration.ts';
import type { SuiteK } from '../../stats/pass-at-k.ts';
import type { ByVariable } from '../fold/by-variable.ts';
import { comparedTexts } from '../../compare/words.ts';
import { autoTexts, moreRunsHint } from '../text/auto-words.ts';
import { gateTexts } from '../text/gate-words.ts';
import { counted, endTexts, kTexts, likeTheseText, clusterNote } from '../text/run-words.ts';
import type { Selections } from '../fold/selections.ts';
import { selectionText } from '../text/selection-text.ts';
import { quarantineText, worseTexts } from '../text/quarantine-text.ts';
import { scoreTexts } from '../text/score-words.ts';
import { spendingText } from '../text/spending-text.ts';
import type { Style } from './style.ts';
import { oneLine } from '../../text/untrusted.ts';
import { variableLines } from './variable-lines.ts';

/** One line for all cases that were not run: after a fail-fast there may be a million. */
export function notRunLine(reason: SkipReason, count: number, noun: string, style: Style): string {
  const symbol = style.status.skipped(style.symbols.skipped);
  return `${symbol} ${counted(count, noun)} not run (${WHY[reason]})\n`;
}

const WHY: Record<SkipReason, string> = {
  budget: 'the budget is spent',
  decided: 'the answer is known',
  fail_fast: 'stopped after the first failure',
  interrupted: 'interrupted',
  skip: 'skipped',
};

export type SummaryLook = {
  width: number;
  noun: string;
  style: Style;
  /** True if the cases of any test have more than one run; the summary has only the default. */
  isRepeated: boolean;
  /** Of `--runs auto`. */
  rule: RunsRule | undefined;
  byVariable: ByVariable | undefined;
  /** Choices between the variants of a matrix. */
  selections: readonly Selections[];
  /** pass@k and pass^k, if they are asked for. */
  figures: SuiteK | undefined;
};

export function summaryLines(
  summary: SummaryEvent,
  { width, noun, style, isRepeated, rule, byVariable, selections, figures }: SummaryLook,
): string {
  const double = `${style.doubleLine.repeat(width)}\n`;
  const { passed, failed, errors, timeouts, unmeasured = 0 } = summary;
  const [passedText, failedText, skippedText, ...unmeasuredText] = endTexts(summary);
  const parts = [
    passed > 0 ? style.green(passedText) : passedText,
    failed > unmeasured ? style.red(failedText) : failedText,
    skippedText,
    ...unmeasuredText.map(style.shaky),
  ];
  let text = `${double}  Summary: ${parts.join(', ')} (${formatDuration(summary.duration_ms)})\n`;
  if (summary.min_pass_rate === 0 && failed > unmeasured)
    text += '  Report only: with --min-pass-rate 0, failures do not fail the run\n';
  if (errors > 0) text += `  Errors: ${errors}\n`;
  if (timeouts > 0) text += `  Timeouts: ${timeouts}\n`;
  const { checks } = summary;
  if (checks !== undefined) text += `  Checks: ${checks.passed} passed, ${checks.failed} failed\n`;
  if (summary.quarantined !== undefined) text += quarantineLines(summary.quarantined, noun, style);
  const hasRuns = isRepeated || summary.runs_per_case > 1;
  const between = likeTheseText(noun, summary);
  if (hasRuns || between !== undefined) text += rateLine(summary, noun, { hasRuns, between });
  for (const score of scoreTexts(summary, noun)) text += `  Score: ${oneLine(score)}\n`;
  const note = clusterNote(summary, noun);
  if (note !== undefined) text += `  ${style.shaky(oneLine(note))}\n`;
  if (hasRuns) {
    text += `  Stability: ${summary.stable_cases} stable, ${summary.unstable_cases} unstable\n`;
  }
  const hint = moreRunsHint({ ...(rule !== undefined && { runs_rule: rule }) }, summary);
  const [decided = '', saved = ''] = autoTexts(summary);
  if (decided !== '') text += `  Runs auto: ${decided}    ${saved}\n`;
  if (hint !== undefined) text += `  Undecided: ${hint}\n`;
  if (figures !== undefined)
    text += kTexts(figures, noun)
      .map((one) => `  ${one}\n`)
      .join('');
  for (const gate of gateTexts(summary)) text += `  Gate: ${oneLine(gate)}\n`;
  for (const compared of comparedTexts(summary)) text += `  Compared with ${oneLine(compared, 1000)}\n`;
  const spent = spendingText(summary);
  if (spent !== undefined) text += `  Models: ${spent}\n`;
  if (byVariable !== undefined) text += variableLines(byVariable, { style, noun });
  if (selections.length > 0) text += `\n${selections.map((one) => `  ${selectionText(one)}\n`).join('')}`;
  return text + double;
}

function quarantineLines(counts: QuarantineCounts, noun: string, style: Style): string {
  const worse = worseTexts(counts).map((text) => `  ${style.red(oneLine(text, 300))}\n`);
  return `  Quarantined: ${quarantineText(counts, noun)}\n${worse.join('')}`;
}

function rateLine(
  summary: SummaryEvent,
  noun: string,
  { hasRuns, between }: { hasRuns: boolean; between: string | undefined },
): string {
  const { overall_pass_rate: rate, total_runs: total } = summary;
  const runs = `${total} runs`;
  if (rate === null) return `  Pass rate: not measured (${runs})\n`;
  const of = hasRuns ? `${rated(summary, noun)}, ${runs}` : rated(summary, noun);
  return `  Pass rate: ${rate}% (mean of ${of})${between === undefined ? '' : `; ${between}`}\n`;
}

/** The cases with a pass rate. Cases with an error may not have one, and the counts do not show how many do. */
function rated({ passed, failed, errors }: SummaryEvent, noun: string): string {
  return errors > 0 ? `the ${noun}s measured` : counted(passed + failed, noun);
}
