// Escapes untrusted text for XML.

import { cutText } from '../../text/cut-text.ts';

const TEXT_LENGTH = 20_000;
const ATTRIBUTE_LENGTH = 1_000;

/** Milliseconds as seconds, the unit of JUnit. The schema of Jenkins allows digits and a point only. */
export function seconds(ms: number): string {
  return (Math.min(Math.max(ms || 0, 0), Number.MAX_SAFE_INTEGER) / 1000).toFixed(3);
}

export function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(cutText(String(value), ATTRIBUTE_LENGTH))}"`)
    .join('');
}

/** The beginning of a text that is too long for a report. */
export function shortened(text: string): string {
  const left = text.length - TEXT_LENGTH;
  return left > 0
    ? `${cutText(text, TEXT_LENGTH)}… ${left} more characters; the run log has all of it.`
    : text;
}

function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** Escapes every `>`, so that no `]]>` is left, and removes characters that XML does not allow. */
export function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff\p{Cs}]/gu;
