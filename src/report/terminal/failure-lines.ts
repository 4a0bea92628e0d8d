// Failures as lines for the terminal. Answers are untrusted, so all of their text is escaped.

import { cutToColumns } from '../../text/display-width.ts';
import type { Failure, FailureDetail } from '../fold/failures.ts';
import { valueTexts } from '../fold/failures.ts';
import { indented, safeLines } from './safe-lines.ts';
import type { Style } from './style.ts';
import { oneLine } from '../../text/untrusted.ts';

const VALUE_LINES = 40;
const MESSAGE_LINES = 10;
/** Longer answers are shown only for the first assertion that they fail. */
const REPEATED_LENGTH = 40;
const MARGIN = '  ';

/** How failures are shown. */
export type FailureLook = {
  style: Style;
  /** The width of the terminal; undefined if it does not wrap lines. */
  columns?: number | undefined;
};

/** All failures with their details; `label` precedes the first line, `margin` every line. */
export function failureLines(
  failures: readonly Failure[],
  { style, columns }: FailureLook,
  { label = '', margin = MARGIN }: { label?: string; margin?: string } = {},
): string {
  const answers = new Set<string>();
  const indent = `${margin}   `;
  let text = '';
  for (const { title, message, detail, at, subtest } of failures) {
    const [first = '', ...more] = safeLines(message.trimEnd(), MESSAGE_LINES);
    const names = [subtest, title].filter((name) => name !== undefined);
    const prefix = `${label}${names.map((name) => `${oneLine(name)}: `).join('')}`;
    text += `${margin}${style.branch} ${prefix}${first}\n`;
    text += indented(more, indent);
    text += indented(detailLines(detail, answers, { style, room: columns, from: indent.length }), indent);
    if (at !== undefined) text += `${indent}${style.dim(oneLine(`at ${at}`))}\n`;
  }
  return text;
}

function detailLines(
  detail: FailureDetail | undefined,
  answers: Set<string>,
  { style, room, from }: { style: Style; room: number | undefined; from: number },
): string[] {
  switch (detail?.type) {
    case 'diff':
      return safeLines(detail.text, VALUE_LINES).map((line) => coloured(fitted(line, room, from), style));
    case 'stack':
      return detail.frames.flatMap((frame) => safeLines(frame, 1)).map(style.dim);
    case 'values': {
      const { actual = '' } = detail;
      const isKnown = actual.length > REPEATED_LENGTH && answers.has(actual);
      answers.add(actual);
      return valueTexts(isKnown ? { ...detail, actual: 'as above' } : detail).flatMap((value) =>
        safeLines(value, MESSAGE_LINES).map(value.startsWith('expected') ? style.green : style.red),
      );
    }
    case undefined:
      return [];
  }
}

/** Cuts a line to the width of the terminal, because a wrapped line would lose its margin. */
function fitted(line: string, columns: number | undefined, from: number): string {
  return columns === undefined ? line : cutToColumns(line, columns, from);
}

function coloured(line: string, style: Style): string {
  if (line.startsWith('-')) return style.green(line);
  return line.startsWith('+') ? style.red(line) : line;
}
