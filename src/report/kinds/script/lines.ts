// One settled test of a script as lines for the terminal.

import type { Status } from '../../../model/outcome.ts';
import type { Subtest } from '../../../model/script.ts';
import { formatDuration } from '../../../text/duration.ts';
import type { CaseLook } from '../../terminal/case-lines.ts';
import { isShaky, quarantineMark, repeatedTimes } from '../../terminal/case-lines.ts';
import type { CaseResult, RunDetail, SkippedCase } from '../../fold/case-result.ts';
import type { Named } from '../../text/case-text.ts';
import { timeText } from '../../text/case-text.ts';
import { failureLines } from '../../terminal/failure-lines.ts';
import type { Failure } from '../../fold/failures.ts';
import { listFailures } from '../../fold/failures.ts';
import { groupedLines } from '../../terminal/grouped-lines.ts';
import { indented, lastLines } from '../../terminal/safe-lines.ts';
import { hasFailed } from './text.ts';
import type { Style } from '../../terminal/style.ts';
import { oneLine } from '../../../text/untrusted.ts';

const MARGIN = '    ';
const SHOWN = { failures: 20, subtests: 50, logs: 20 };
const SHOWN_VERBOSELY = { failures: 1000, subtests: 1000, logs: 1000 };

/** Its name, how it ended, and below that what is wrong with it or, if verbose, everything about it. */
export function scriptLines(result: CaseResult, look: CaseLook): string {
  const { style } = look;
  const { run_details: runs } = result;
  const status = `  ${paintedStatus(result, style)} `;
  const text =
    runs === undefined
      ? `${status}${timesOf(result, style)}${quarantineMark(result, style)}\n${runLines(result, look)}`
      : `${status}${repeatedTimes(result, runs, style)}\n${groupedLines(runs, 'script', look, MARGIN)}`;
  const logs = (runs ?? [result]).map((run) => logLines(run, look));
  return `${titleLine(result, look)}${text}${logs.join('')}\n`;
}

type Passed = Named & Parameters<typeof timeText>[0] & Pick<CaseResult, 'quarantined' | 'status'>;

/** All that is said of a test that passed. */
export function passedLines(passed: Passed, look: CaseLook): string {
  const { style } = look;
  const end = `${paintedStatus(passed, style)} ${timesOf(passed, style)}${quarantineMark(passed, style)}`;
  return `${titleLine(passed, look)}  ${end}\n\n`;
}

export function skippedLines(skipped: SkippedCase, look: CaseLook): string {
  const { style } = look;
  const why = skipped.message === undefined ? '' : `: ${oneLine(skipped.message)}`;
  return `${titleLine(skipped, look)}  ${paintedStatus({ status: 'skipped' }, style)}${why}\n\n`;
}

function titleLine(named: Named, { style, nameOf }: CaseLook): string {
  return `${style.pointer} [${oneLine(nameOf(named))}] ...\n`;
}

function paintedStatus(shown: { status: Status } | CaseResult, style: Style): string {
  const { status } = shown;
  const paint = 'runs' in shown && isShaky(shown) ? style.shaky : style.status[status];
  return paint(`${symbolOf(status, style)} ${status.toUpperCase()}`);
}

/** The word beside it tells an error or a timeout from a failure. */
function symbolOf(status: Status, { symbols }: Style): string {
  return status === 'passed' || status === 'skipped' ? symbols[status] : symbols.failed;
}

function timesOf(timed: Parameters<typeof timeText>[0], style: Style): string {
  return style.dim(`(${timeText(timed)})`);
}

/** The failures of the test itself, then its subtests with theirs. */
function runLines(result: CaseResult, look: CaseLook): string {
  const limits = look.verbose ? SHOWN_VERBOSELY : SHOWN;
  const failures = listFailures(result, 'script');
  const shown = failures.slice(0, limits.failures);
  const subtests = (result.subtests ?? []).filter((subtest) => look.verbose || hasFailed(subtest));
  const listed = subtests.slice(0, limits.subtests);
  const names = new Set(listed.map(({ name }) => name));
  const own = shown.filter(({ subtest }) => subtest === undefined || !names.has(subtest));
  const parts = listed.map((subtest) => subtestLines(subtest, result, shown, look));
  return [
    failureLines(own, look, { margin: MARGIN }),
    ...parts,
    othersLine(subtests.length - listed.length, 'subtest'),
    othersLine(failures.length - shown.length, 'failure'),
  ].join('');
}

function subtestLines(
  subtest: Subtest,
  { id, error }: CaseResult,
  failures: readonly Failure[],
  look: CaseLook,
): string {
  const { style } = look;
  const { status } = subtest;
  const name = subtest.name.startsWith(`${id}/`) ? subtest.name.slice(id.length + 1) : subtest.name;
  const symbol = style.status[status](symbolOf(status, style));
  const reason = subtest.error === undefined ? '' : `: ${oneLine(subtest.error)}`;
  const time = status === 'skipped' ? `skipped${reason}` : formatDuration(subtest.duration_ms);
  const own = failures.filter((failure) => failure.subtest === subtest.name).map(withoutSubtest);
  // The exception is shown with the test, beside its stack.
  const isTold = status !== 'error' || subtest.error === undefined || error?.includes(subtest.error) === true;
  const thrown = isTold ? [] : [{ message: subtest.error ?? '' }];
  const line = `${MARGIN}${symbol} ${oneLine(name)} ${style.dim(`(${time})`)}\n`;
  return line + failureLines([...thrown, ...own], look, { margin: `${MARGIN}  ` });
}

/** Below the subtest's own line its name says nothing new. */
function withoutSubtest(failure: Failure): Failure {
  const { subtest: _, ...rest } = failure;
  return rest;
}

function othersLine(count: number, noun: string): string {
  return count > 0 ? `${MARGIN}… and ${count} other ${noun}${count === 1 ? '' : 's'}\n` : '';
}

/** The output of a test; a passed test shows it only in verbose mode. */
function logLines(run: CaseResult | RunDetail, { style, verbose }: CaseLook): string {
  const { logs = [] } = run;
  if (logs.length === 0 || (run.status === 'passed' && !verbose)) return '';
  const title = 'run' in run ? `logs of run ${run.run}:` : 'logs:';
  const lines = lastLines(logs, (verbose ? SHOWN_VERBOSELY : SHOWN).logs);
  return `${MARGIN}${style.dim(title)}\n${indented(lines, `${MARGIN}   `)}`;
}
