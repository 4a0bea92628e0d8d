// Makes untrusted text safe to show: it may have control characters, escape sequences or megabytes of data.

// oxlint-disable no-control-regex
import { cutText, ellipsize } from './cut-text.ts';

const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'gu');

/** Escapes characters that would move the cursor, colour the screen or reorder the text; keeps line breaks and tabs. */
export function escapeControls(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(UNSAFE_ALL, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\r') return '\\r';
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Makes text one line: line breaks and tabs become spaces, control characters are escaped, and it is cut at `limit`. */
export function oneLine(text: string, limit = 200): string {
  return cutLine(escapeControls(cutText(text, limit * 4)).replace(/\s*\n\s*|\t/g, ' '), limit);
}

/** Cuts a line to `limit` characters, the ellipsis included. */
export function cutLine(line: string, limit: number): string {
  return line.length <= limit ? line : ellipsize(line, limit - 1);
}

/** A value as readable text: a string as it is, everything else as JSON. */
export function readableText(value: unknown, indent = 0): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, indent) ?? 'null');
}
