// Escapes untrusted text for Markdown.

import { cutText } from '../../text/cut-text.ts';
import { escapeControls, oneLine } from '../../text/untrusted.ts';

const BLOCK_LENGTH = 20_000;

/** Escapes Markdown and HTML markup, and makes the text one line. */
export function inlineText(text: string, limit = 500): string {
  return oneLine(text, limit).replace(/[\\`*<>[\]|&~]/g, String.raw`\$&`);
}

/** A fenced block whose fence is longer than any row of backticks inside. Very long content is cut, with a note. */
export function codeBlock(content: string, language = ''): string {
  const text = escapeControls(cutText(content, BLOCK_LENGTH));
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((row) => row.length));
  const fence = '`'.repeat(longest + 1);
  const block = `${fence}${language}\n${text}\n${fence}\n\n`;
  const left = content.length - BLOCK_LENGTH;
  return left > 0 ? `${block}… ${left} more characters; the run log has all of it.\n\n` : block;
}

/** A table with aligned columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => inlineText(cell)));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const [first = head, ...others] = cells;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('');
}

/** A rate in percent; `n/a` if it is not known. */
export function percent(rate: number | null): string {
  return rate === null ? 'n/a' : `${rate}%`;
}
