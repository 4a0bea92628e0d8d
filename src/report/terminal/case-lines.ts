// One settled case as lines for the terminal.

import type { Kind } from '../../model/attempt.ts';
import type { CaseResult, RunDetail, SkippedCase } from '../fold/case-result.ts';
import type { CaseNamer, Named } from '../text/case-text.ts';
import { retriesText, timeText } from '../text/case-text.ts';
import { detailLines } from './detail-lines.ts';
import type { FailureLook } from './failure-lines.ts';
import { failureLines } from './failure-lines.ts';
import { failuresOf } from '../fold/failures.ts';
import { groupedLines } from './grouped-lines.ts';
import type { Style } from './style.ts';
import { oneLine } from '../../text/untrusted.ts';

/** How cases are shown. */
export type CaseLook = FailureLook & { style: Style; nameOf: CaseNamer; verbose: boolean };

/** The line of a case, and below it what is wrong with it or, if verbose, everything about it. */
export function caseLines(result: CaseResult, kind: Kind, look: CaseLook): string {
  const { run_details: runs } = result;
  const details = look.verbose ? detailLines(result, look.style) : '';
  if (runs === undefined) {
    return `${caseLine(result, look)}${details}${failureLines(failuresOf(result, kind), look)}`;
  }
  return `${repeatedLine(result, runs, look)}${details}${groupedLines(runs, kind, look)}`;
}

type Shown = Named & Pick<CaseResult, 'assertions' | 'duration_ms' | 'retries' | 'status'>;

/** Status, name and time: all that is said of a case that passed. */
export function caseLine(shown: Shown, { style, nameOf }: CaseLook): string {
  const symbol = style.status[shown.status](style.symbols[shown.status]);
  return `${symbol} ${oneLine(nameOf(shown))} ${style.dim(`(${timeText(shown)})`)}\n`;
}

export function skippedLine(skipped: SkippedCase, { style, nameOf }: CaseLook): string {
  const why = skipped.message === undefined ? 'skipped' : `skipped: ${oneLine(skipped.message)}`;
  return `${style.status.skipped(style.symbols.skipped)} ${oneLine(nameOf(skipped))} (${why})\n`;
}

/** A case of several runs also says how they ended, and stands out if it passed though not all of them did. */
function repeatedLine(result: CaseResult, runs: readonly RunDetail[], { style, nameOf }: CaseLook): string {
  const { status } = result;
  const symbol = (isShaky(result) ? style.shaky : style.status[status])(style.symbols[status]);
  return `${symbol} ${oneLine(nameOf(result))} ${repeatedTimes(result, runs, style)}\n`;
}

/** A pass that not every run agrees with. */
export function isShaky({ status, passed, runs }: CaseResult): boolean {
  return status === 'passed' && passed < runs;
}

/** `(20ms) [2/3 runs, Unstable]` */
export function repeatedTimes(result: CaseResult, runs: readonly RunDetail[], style: Style): string {
  const { retries: _, ...once } = result;
  const stability = result.stability_class === 'Stable' ? null : result.stability_class;
  const facts = [`${result.passed}/${result.runs} runs`, stability, retriesText(runs)];
  const counts = facts.filter((fact) => fact !== null && fact !== '').join(', ');
  return `${style.dim(`(${timeText(once)})`)} [${counts}]`;
}
