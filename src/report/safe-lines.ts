// Untrusted text as lines for the terminal.

import { cutLine, cutText, escapeControls } from './untrusted.ts';

const LINE_LENGTH = 200;
const VALUE_LENGTH = 20_000;

export const INDENT = '     ';

export function indented(lines: readonly string[]): string {
  return lines.map((line) => `${INDENT}${line}\n`).join('');
}

/** At most `limit` lines of bounded length, with a note of what is missing. */
export function safeLines(text: string, limit: number): string[] {
  const lines = escapeControls(cutText(text, VALUE_LENGTH)).split('\n');
  const shown = lines.slice(0, limit).map((line) => cutLine(line, LINE_LENGTH));
  if (lines.length > limit) shown.push(`… ${lines.length - limit} more lines`);
  else if (text.length > VALUE_LENGTH) shown.push(`… ${text.length - VALUE_LENGTH} more characters`);
  return shown;
}
