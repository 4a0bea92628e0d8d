// One settled case as lines for the terminal. Answers are untrusted: nothing of them reaches the screen unescaped.

import type { CaseResult, RunDetail } from './case-result.ts';
import type { CaseNamer } from './case-text.ts';
import { retriesText, timeText, triesText } from './case-text.ts';
import { detailLines } from './detail-lines.ts';
import { cutToColumns } from './display-width.ts';
import type { Failure } from './failures.ts';
import { failuresOf } from './failures.ts';
import type { Style } from './style.ts';
import { indented, INDENT, safeLines } from './safe-lines.ts';
import { oneLine } from './untrusted.ts';

const VALUE_LINES = 40;
const SHOWN_GROUPS = 3;
/** A longer answer is not shown again for every assertion that it fails. */
const REPEATED_LENGTH = 40;

/** How cases are shown. */
export type CaseLook = {
  style: Style;
  nameOf: CaseNamer;
  verbose: boolean;
  /** Where lines with a margin of their own have to end; undefined if nothing wraps them. */
  columns?: number | undefined;
};

/** The line of a case, and below it what is wrong with it or, if verbose, everything about it. */
export function caseLines(result: CaseResult, look: CaseLook): string {
  const { run_details: runs } = result;
  const details = look.verbose ? detailLines(result, look.style) : '';
  if (runs === undefined) {
    return `${caseLine(result, look)}\n${details}${failureLines(failuresOf(result), '', look)}`;
  }
  return `${repeatedLine(result, runs, look)}\n${details}${groupedLines(runs, look)}`;
}

type Shown = Pick<CaseResult, 'id' | 'test_id' | 'status' | 'duration_ms' | 'retries'>;

/** Status, name and time: all that is said of a case that passed. */
export function caseLine(shown: Shown, { style, nameOf }: CaseLook): string {
  const symbol = style.status[shown.status](style.symbols[shown.status]);
  return `${symbol} ${oneLine(nameOf(shown))} ${style.dim(`(${timeText(shown)})`)}`;
}

/** A case of several runs also says how they ended, and stands out if it passed though not all of them did. */
function repeatedLine(result: CaseResult, runs: readonly RunDetail[], { style, nameOf }: CaseLook): string {
  const { status, duration_ms, stability_class: stability } = result;
  const isShaky = status === 'passed' && result.passed < result.runs;
  const symbol = (isShaky ? style.shaky : style.status[status])(style.symbols[status]);
  const facts = [`${result.passed}/${result.runs} runs`, stability === 'Stable' ? null : stability];
  const counts = [...facts, retriesText(runs)].filter((fact) => fact !== null && fact !== '').join(', ');
  return `${symbol} ${oneLine(nameOf(result))} ${style.dim(`(${timeText({ duration_ms })})`)} [${counts}]`;
}

/** Runs that failed alike are shown once. */
function groupedLines(runs: readonly RunDetail[], look: CaseLook): string {
  const groups = new Map<string, { numbers: number[]; tries: string; failures: Failure[] }>();
  for (const run of runs) {
    if (run.status === 'passed') continue;
    const failures = failuresOf(run);
    const tries = triesText(run.retries);
    const key = JSON.stringify([tries, failures]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { numbers: [run.run], tries, failures });
    else group.numbers.push(run.run);
  }
  const shown = [...groups.values()].slice(0, SHOWN_GROUPS);
  const lines = shown.map(({ numbers, tries, failures }) => {
    const which = `${numbers.length === 1 ? 'run' : 'runs'} ${oneLine(numbers.join(', '), 60)}`;
    return failureLines(failures, `${which}${tries === '' ? '' : ` (${tries})`}: `, look);
  });
  const left = groups.size - shown.length;
  return (
    lines.join('') +
    (left > 0 ? `  ${look.style.branch} … and ${left} other ${left === 1 ? 'failure' : 'failures'}\n` : '')
  );
}

function failureLines(failures: readonly Failure[], label: string, { style, columns }: CaseLook): string {
  const answers = new Set<string>();
  let text = '';
  for (const { title, message, detail } of failures) {
    const [first = '', ...more] = safeLines(message, 10);
    const prefix = title === undefined ? label : `${label}${oneLine(title)}: `;
    text += `  ${style.branch} ${prefix}${first}\n`;
    text += indented(more);
    if (detail?.type === 'diff')
      text += indented(
        safeLines(detail.text, VALUE_LINES).map((line) => coloured(fitted(line, columns), style)),
      );
    if (detail?.type === 'stack')
      text += indented(detail.frames.flatMap((frame) => safeLines(frame, 1)).map(style.dim));
    if (detail?.type === 'values') {
      text += indented(safeLines(`expected: ${detail.expected}`, 10).map(style.green));
      const { actual } = detail;
      const isKnown = actual.length > REPEATED_LENGTH && answers.has(actual);
      text += indented(safeLines(`actual: ${isKnown ? 'as above' : actual}`, 10).map(style.red));
      answers.add(actual);
    }
  }
  return text;
}

/** A line that the terminal wraps would lose its margin. */
function fitted(line: string, columns: number | undefined): string {
  return columns === undefined ? line : cutToColumns(line, columns, INDENT.length);
}

function coloured(line: string, style: Style): string {
  if (line.startsWith('-')) return style.green(line);
  return line.startsWith('+') ? style.red(line) : line;
}
