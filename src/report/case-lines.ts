// One settled case as lines for the terminal. Answers are untrusted: nothing of them reaches the screen unescaped.

import { formatDuration } from '../platform/duration.ts';
import type { CaseResult, RunDetail } from './case-result.ts';
import type { Failure } from './failures.ts';
import { failuresOf } from './failures.ts';
import type { Style } from './style.ts';
import { cutLine, cutText, escapeControls, oneLine, textOf } from './untrusted.ts';

const LINE_LENGTH = 200;
const VALUE_LENGTH = 20_000;
const VALUE_LINES = 40;
const SHOWN_GROUPS = 3;

/** The line of a case, and below it what is wrong with it or, if verbose, everything about it. */
export function caseLines(result: CaseResult, style: Style, { verbose }: { verbose: boolean }): string {
  const { status, run_details: runs } = result;
  const counts = runs === undefined ? '' : ` [${result.passed}/${result.runs} runs]`;
  const line = `${caseLine(result, style)}${counts}\n`;
  if (status === 'passed' && !verbose) return line;

  let text = line;
  if (verbose) text += detailLines(result, style);
  if (runs === undefined) return text + failureLines(failuresOf(result), '', style);
  return text + groupedLines(runs, style);
}

/** Status, id and time: all that is said of a case that passed. */
export function caseLine(
  { id, status, duration_ms }: Pick<CaseResult, 'id' | 'status' | 'duration_ms'>,
  style: Style,
): string {
  const symbol = style.status[status](style.symbols[status]);
  return `${symbol} ${oneLine(id)} ${style.dim(`(${formatDuration(duration_ms)})`)}`;
}

/** Runs that failed alike are shown once. */
function groupedLines(runs: readonly RunDetail[], style: Style): string {
  const groups = new Map<string, { numbers: number[]; failures: Failure[] }>();
  for (const run of runs) {
    if (run.status === 'passed') continue;
    const failures = failuresOf(run);
    const key = JSON.stringify(failures);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { numbers: [run.run], failures });
    else group.numbers.push(run.run);
  }
  const shown = [...groups.values()].slice(0, SHOWN_GROUPS);
  const lines = shown.map(({ numbers, failures }) => {
    const label = `${numbers.length === 1 ? 'run' : 'runs'} ${oneLine(numbers.join(', '), 60)}: `;
    return failureLines(failures, label, style);
  });
  const left = groups.size - shown.length;
  return lines.join('') + (left > 0 ? `  ${style.branch} … and ${left} other failures\n` : '');
}

function failureLines(failures: readonly Failure[], label: string, style: Style): string {
  let text = '';
  for (const { title, message, detail } of failures) {
    const [first = '', ...more] = safeLines(message, 10);
    const prefix = title === undefined ? label : `${label}${oneLine(title)}: `;
    text += `  ${style.branch} ${prefix}${first}\n`;
    text += indented(more);
    if (detail?.type === 'diff')
      text += indented(safeLines(detail.text, VALUE_LINES).map((line) => coloured(line, style)));
    if (detail?.type === 'stack')
      text += indented(detail.frames.flatMap((frame) => safeLines(frame, 1)).map(style.dim));
    if (detail?.type === 'values') {
      text += indented(safeLines(`expected: ${detail.expected}`, 10).map(style.green));
      text += indented(safeLines(`actual: ${detail.actual}`, 10).map(style.red));
    }
  }
  return text;
}

function coloured(line: string, style: Style): string {
  if (line.startsWith('-')) return style.green(line);
  return line.startsWith('+') ? style.red(line) : line;
}

function detailLines(result: CaseResult, style: Style): string {
  let text = result.input === null ? '' : valueLines('input', result.input, style);
  const answers: readonly (CaseResult | RunDetail)[] = result.run_details ?? [result];
  for (const answer of answers) {
    const label = 'run' in answer ? ` of run ${answer.run}` : '';
    if (answer.output !== null) text += valueLines(`output${label}`, answer.output, style);
    if (answer.logs !== undefined && answer.logs.length > 0) {
      text += valueLines(`logs${label}`, answer.logs.join('\n'), style);
    }
  }
  return text;
}

function valueLines(name: string, value: unknown, style: Style): string {
  const [first = '', ...more] = safeLines(textOf(value), VALUE_LINES);
  return `  ${style.dim(`${name}:`)} ${first}\n${indented(more)}`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `     ${line}\n`).join('');
}

/** At most `limit` lines of bounded length, with a note of what is missing. */
function safeLines(text: string, limit: number): string[] {
  const lines = escapeControls(cutText(text, VALUE_LENGTH)).split('\n');
  const shown = lines.slice(0, limit).map((line) => cutLine(line, LINE_LENGTH));
  if (lines.length > limit) shown.push(`… ${lines.length - limit} more lines`);
  else if (text.length > VALUE_LENGTH) shown.push(`… ${text.length - VALUE_LENGTH} more characters`);
  return shown;
}
