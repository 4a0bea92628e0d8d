// Answers may hold anything: control characters, escape sequences, megabytes. These make them safe to show.

// The point of these classes is to name control characters.
// oxlint-disable no-control-regex
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\p{Cs}]/u;
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'gu');

/** Spells out characters that would move the cursor, colour the screen or reorder the text; keeps line breaks and tabs. */
export function escapeControls(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(UNSAFE_ALL, spelled);
}

function spelled(character: string): string {
  if (character === '\r') return '\\r';
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Makes text one line: breaks and tabs become spaces, controls are spelled out, the end is cut off after `limit`. */
export function oneLine(text: string, limit = 200): string {
  return cutLine(escapeControls(cutText(text, limit * 4)).replace(/\s*\n\s*|\t/g, ' '), limit);
}

/** Cuts a line at `limit` characters and says so with an ellipsis. */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line;
  return `${cutText(line, limit - 1)}…`;
}

/** The first `limit` characters at most, never half of a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const code = text.charCodeAt(limit - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit);
}

/** A value as people read it: text as it is, everything else as JSON. */
export function textOf(value: unknown, indent = 0): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, indent) ?? 'null');
}
