// One settled skill test as lines for the terminal: `✓ equipment [3✓ 1✗] 120ms`, and below it what is wrong.

import type { ResultEvent } from '../../../model/event.ts';
import type { CaseLook } from '../../terminal/case-lines.ts';
import { isShaky, quarantineMark, repeatedTimes } from '../../terminal/case-lines.ts';
import type { CaseResult, RunDetail, SkippedCase } from '../../fold/case-result.ts';
import type { Named } from '../../text/case-text.ts';
import { failureLines } from '../../terminal/failure-lines.ts';
import { listFailures } from '../../fold/failures.ts';
import { groupedLines } from '../../terminal/grouped-lines.ts';
import { indented, lastLines } from '../../terminal/safe-lines.ts';
import { hasNoChecks } from './run.ts';
import type { Style } from '../../terminal/style.ts';
import { formatDuration } from '../../../text/duration.ts';
import { oneLine } from '../../../text/untrusted.ts';

const LOGS = 20;
const LOGS_VERBOSELY = 1000;

/** Its line, its errors, and what it printed if it did not pass or everything is wanted. */
export function skillLines(result: CaseResult, look: CaseLook): string {
  const { style } = look;
  const { run_details: runs } = result;
  if (runs === undefined) {
    return `${lineOf(result, look)}${failureLines(listFailures(result, 'skill'), look)}${notesOf(result, look)}`;
  }
  const symbol = (isShaky(result) ? style.shaky : style.status[result.status])(style.symbols[result.status]);
  const line = `${symbol} ${oneLine(look.nameOf(result))} ${repeatedTimes(result, runs, style)}\n`;
  return line + groupedLines(runs, 'skill', look) + runs.map((run) => notesOf(run, look)).join('');
}

type Shown = Named & Pick<ResultEvent, 'checks' | 'duration_ms' | 'leaks' | 'quarantined' | 'status'>;

/** All that is said of a test that passed. */
export function passedSkillLines(shown: Shown, look: CaseLook): string {
  return lineOf(shown, look) + leaksLine(shown, look.style);
}

function lineOf(shown: Shown, { style, nameOf }: CaseLook): string {
  const { status } = shown;
  const symbol = style.status[status](style.symbols[status]);
  const counts = countsText(shown, style);
  const time = style.dim(formatDuration(shown.duration_ms));
  return `${symbol} ${oneLine(nameOf(shown))} ${counts}${time}${quarantineMark(shown, style)}\n`;
}

export function untestedLine(skipped: SkippedCase, { style, nameOf }: CaseLook): string {
  const { message = 'skipped' } = skipped;
  const symbol = style.status.skipped(style.symbols.skipped);
  return `${symbol} ${oneLine(nameOf(skipped))} ${style.dim(`(${oneLine(message)})`)}\n`;
}

/** A test that did not come to a result has no counts. */
function countsText(shown: Pick<Shown, 'checks' | 'status'>, style: Style): string {
  const { checks, status } = shown;
  if (checks === undefined) return status === 'failed' ? '' : `[${status}] `;
  if (hasNoChecks(shown)) return `[${style.shaky('no checks')}] `;
  const { passed, failed } = style.symbols;
  const skipped = checks.skipped === undefined ? '' : `, ${checks.skipped} skipped`;
  return `[${checks.passed}${passed} ${checks.failed}${failed}${skipped}] `;
}

function leaksLine({ leaks }: { leaks?: string }, style: Style): string {
  return leaks === undefined ? '' : `  ${style.dim(oneLine(leaks))}\n`;
}

function notesOf(run: CaseResult | RunDetail, { style, verbose }: CaseLook): string {
  const { logs = [] } = run;
  let text = leaksLine(run, style);
  if (logs.length === 0 || (run.status === 'passed' && !verbose)) return text;
  const title = 'run' in run ? `output of run ${run.run}:` : 'output:';
  text += `  ${style.dim(title)}\n${indented(lastLines(logs, verbose ? LOGS_VERBOSELY : LOGS))}`;
  return text;
}
