// Text that cannot break out of the HTML it is put into.

import { cutText, escapeControls, textOf } from './untrusted.ts';

const VALUE_LENGTH = 20_000;
const LINE_LENGTH = 500;

/** Escapes everything that HTML takes as markup, in elements as well as in attributes. */
export function escapeHtml(text: string): string {
  return escapeControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A short text inside a line. */
export function inlineHtml(text: string): string {
  const cut = cutText(text, LINE_LENGTH);
  return escapeHtml(cut.length < text.length ? `${cut}…` : cut);
}

/** A value as a block with a title; a very long one is cut and says so. */
export function valueHtml(title: string, value: unknown): string {
  return `<h4>${escapeHtml(title)}</h4>${blockHtml(textOf(value, 2))}`;
}

/** Text as it stands, line by line. */
export function blockHtml(text: string): string {
  return `${preHtml(escapeHtml(cutText(text, VALUE_LENGTH)))}${restHtml(text)}`;
}

/** A difference with its lines coloured. */
export function diffHtml(text: string): string {
  const lines = cutText(text, VALUE_LENGTH).split('\n');
  const shown = lines.map((line) => {
    if (line.startsWith('-')) return `<del>${escapeHtml(line)}</del>`;
    return line.startsWith('+') ? `<ins>${escapeHtml(line)}</ins>` : escapeHtml(line);
  });
  return `${preHtml(shown.join('\n'))}${restHtml(text)}`;
}

/** A browser drops the first line break of such a block, which may be one of the text. */
function preHtml(html: string): string {
  return html.startsWith('\n') ? `<pre>\n${html}</pre>` : `<pre>${html}</pre>`;
}

function restHtml(text: string): string {
  const left = text.length - VALUE_LENGTH;
  return left > 0 ? `<p class="note">… ${left} more characters; the run log has all of it.</p>` : '';
}

/** A list of lines with a title; nothing if it is empty. */
export function listHtml(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const items = lines.map((line) => `<li>${inlineHtml(line)}</li>`).join('');
  return `<h4>${escapeHtml(title)}</h4><ul>${items}</ul>`;
}
