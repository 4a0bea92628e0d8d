// One settled case as lines for the terminal.

import type { KindId } from '../../model/subject.ts';
import type { Verdict } from '../../model/outcome.ts';
import type { CaseResult, RunDetail, SkippedCase } from '../fold/case-result.ts';
import { advisoryTexts } from '../text/advisory-text.ts';
import { undecidedText } from '../text/auto-words.ts';
import type { CaseNamer, Named } from '../text/case-text.ts';
import { retriesText, stabilityText, timeText } from '../text/case-text.ts';
import { markText } from '../text/quarantine-text.ts';
import { detailLines } from './detail-lines.ts';
import type { FailureLook } from './failure-lines.ts';
import { failureLines } from './failure-lines.ts';
import { listFailures } from '../fold/failures.ts';
import { groupedLines } from './grouped-lines.ts';
import type { Style } from './style.ts';
import { oneLine } from '../../text/untrusted.ts';

/** How cases are shown. */
export type CaseLook = FailureLook & { style: Style; nameOf: CaseNamer; verbose: boolean };

/** The line of a case with its failures below; with `verbose`, also input, output and tool calls. */
export function caseLines(result: CaseResult, kind: KindId, look: CaseLook): string {
  const { run_details: runs } = result;
  const details = look.verbose ? detailLines(result, look.style) : '';
  if (runs === undefined) {
    return `${caseLine(result, look)}${details}${failureLines(listFailures(result, kind), look)}${advisoryLines(result, kind, look)}`;
  }
  return `${repeatedLine(result, runs, look)}${details}${groupedLines(runs, kind, look)}${advisoryLines(result, kind, look)}`;
}

/** A case that passed in a single run. */
export function passedLines(result: Shown & { kind: KindId; verdicts?: Verdict[] }, look: CaseLook): string {
  return `${caseLine(result, look)}${advisoryLines(result, result.kind, look)}`;
}

function advisoryLines(
  result: { verdicts?: Verdict[]; run_details?: readonly RunDetail[] },
  kind: KindId,
  { style }: CaseLook,
): string {
  const texts = advisoryTexts(result, kind);
  if (texts.length === 0) return '';
  return texts.map((text) => `  ${style.branch} ${style.shaky(oneLine(text))}\n`).join('');
}

type Shown = Named &
  Pick<CaseResult, 'assertions' | 'duration_ms' | 'quarantined' | 'restarted' | 'retries' | 'status'>;

/** Status, name and time. */
function caseLine(shown: Shown, { style, nameOf }: CaseLook): string {
  const symbol = style.status[shown.status](style.symbols[shown.status]);
  return `${symbol} ${oneLine(nameOf(shown))} ${style.dim(`(${timeText(shown)})`)}${quarantineMark(shown, style)}\n`;
}

export function skippedLine(skipped: SkippedCase, { style, nameOf }: CaseLook): string {
  const why = skipped.message === undefined ? 'skipped' : `skipped: ${oneLine(skipped.message)}`;
  return `${style.status.skipped(style.symbols.skipped)} ${oneLine(nameOf(skipped))} (${why})\n`;
}

/** The line of a case with several runs: shows how they ended, and is highlighted if the case passed but a run did not. */
function repeatedLine(result: CaseResult, runs: readonly RunDetail[], { style, nameOf }: CaseLook): string {
  const { status } = result;
  const symbol = (isShaky(result) ? style.shaky : style.status[status])(style.symbols[status]);
  return `${symbol} ${oneLine(nameOf(result))} ${repeatedTimes(result, runs, style)}\n`;
}

/** Follows the line of a case in quarantine. */
export function quarantineMark({ quarantined }: Pick<CaseResult, 'quarantined'>, style: Style): string {
  return quarantined === undefined ? '' : ` ${style.shaky(`[${oneLine(markText(quarantined))}]`)}`;
}

/** True for a case that passed although a run did not. */
export function isShaky({ status, passed, runs }: CaseResult): boolean {
  return status === 'passed' && passed < runs;
}

/** `(20ms) [2/3 runs, Unstable]` */
export function repeatedTimes(result: CaseResult, runs: readonly RunDetail[], style: Style): string {
  const { retries: _retries, restarted: _restarted, ...once } = result;
  const isStable = result.stability_class === 'Stable' && result.stable;
  const stability = isStable ? '' : stabilityText(result);
  const facts = [`${result.passed}/${result.runs} runs`, stability, undecidedText(result), retriesText(runs)];
  const counts = facts.filter((fact) => fact !== '').join(', ');
  return `${style.dim(`(${timeText(once)})`)} [${counts}]${quarantineMark(result, style)}`;
}
