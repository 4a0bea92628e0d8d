// Untrusted text as lines for the terminal.

import { cutText } from '../../text/cut-text.ts';
import { cutLine, escapeControls } from '../../text/untrusted.ts';

const LINE_LENGTH = 200;
const VALUE_LENGTH = 20_000;

const INDENT = '     ';

export function indented(lines: readonly string[], indent = INDENT): string {
  return lines.map((line) => `${indent}${line}\n`).join('');
}

/** At most `limit` lines of limited length, with a note about the rest. */
export function safeLines(text: string, limit: number): string[] {
  const lines = escapeControls(cutText(text, VALUE_LENGTH)).split('\n');
  const shown = lines.slice(0, limit).map((line) => cutLine(line, LINE_LENGTH));
  const left = lines.length - limit;
  if (left > 0) shown.push(left === 1 ? '… 1 more line' : `… ${left} more lines`);
  else if (text.length > VALUE_LENGTH) shown.push(`… ${text.length - VALUE_LENGTH} more characters`);
  return shown;
}

/** The last `limit` lines, with a note about the earlier ones. */
export function lastLines(texts: readonly string[], limit: number): string[] {
  // Reads only the end: a test may have logged ten megabytes.
  const lines = texts.slice(-limit).flatMap((text) => escapeControls(lastText(text)).split('\n'));
  const shown = lines.slice(-limit).map((line) => cutLine(line, LINE_LENGTH));
  const left = lines.length - shown.length + Math.max(0, texts.length - limit);
  return left > 0 ? [`… ${left} earlier ${left === 1 ? 'line' : 'lines'}`, ...shown] : shown;
}

function lastText(text: string): string {
  if (text.length <= VALUE_LENGTH) return text;
  const left = text.length - VALUE_LENGTH;
  return `… ${left} earlier characters\n${text.slice(left)}`;
}
