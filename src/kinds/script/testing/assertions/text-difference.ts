// Two texts that differ, so that a reader sees where: characters that cannot be seen are written out, long texts cut.

import { diffOf } from '../../../../judge/diff.ts';

/** A text that is longer is shown around the first difference only. */
const MAX_WHOLE = 80;
const BEFORE = 30;
const AFTER = 50;
/** White space but the usual one, marks of the format, and accents apart from their letters. */
const UNSEEN = /(?! )[\p{Z}\p{C}\p{M}]/gu;
/** Characters that take no place. */
const WITHOUT_PLACE = /(?![\n\t])[\p{Cc}\p{Cf}\ufe00-\ufe0f]/gu;

/** Both texts in quotes, and where they begin to differ if that is not plain. */
type Excerpts = { expected: string; actual: string; place: string };

/** A message about two texts. */
export function textMessage(actual: string, expected: string): string {
  const shown = excerptsOf(expected, actual);
  return `expected ${shown.actual} to equal ${shown.expected}${shown.place === '' ? '' : `; ${shown.place}`}`;
}

/** The difference, unless the two texts side by side are plain enough. */
export function textDiff(expected: string, actual: string): string | undefined {
  const isAlike = looksLike(expected, actual);
  if (!isAlike && (expected.includes('\n') || actual.includes('\n'))) return diffOf(expected, actual);
  const isShort = Math.max(expected.length, actual.length) <= MAX_WHOLE;
  if (isShort && !isAlike && isTrimmed(expected) && isTrimmed(actual)) return undefined;
  const shown = excerptsOf(expected, actual);
  const place = shown.place === '' ? '' : `\n  ${shown.place}`;
  return `- expected\n+ actual\n\n- ${shown.expected}\n+ ${shown.actual}${place}`;
}

function excerptsOf(expected: string, actual: string): Excerpts {
  const quote = looksLike(expected, actual) ? quoteUnseen : JSON.stringify;
  if (Math.max(expected.length, actual.length) <= MAX_WHOLE) {
    return { expected: quote(expected), actual: quote(actual), place: '' };
  }
  const start = firstDifference(expected, actual);
  return {
    expected: excerpt(expected, start, quote),
    actual: excerpt(actual, start, quote),
    place: `the first difference is at character ${String(start + 1)}`,
  };
}

/** Where the texts part, never within a character. */
function firstDifference(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a[at] === b[at]) at++;
  return at > 0 && isHigh(a, at - 1) ? at - 1 : at;
}

function excerpt(text: string, at: number, quote: (text: string) => string): string {
  const from = at <= BEFORE ? 0 : wholeFrom(text, at - BEFORE);
  const to = wholeFrom(text, at + AFTER);
  const quoted = quote(text.slice(from, to));
  return `${from > 0 ? '…' : ''}${quoted}${to < text.length ? '…' : ''}`;
}

function wholeFrom(text: string, at: number): number {
  return at < text.length && isHigh(text, at - 1) ? at + 1 : Math.min(at, text.length);
}

function isHigh(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}

function looksLike(a: string, b: string): boolean {
  return visible(a) === visible(b);
}

/** What can be seen of a text in a report: not what stands at the ends of lines. */
function visible(text: string): string {
  const placed = text.normalize('NFC').replace(WITHOUT_PLACE, '');
  return placed
    .replaceAll(/[^\S\n]/g, ' ')
    .replaceAll(/ +$/gm, '')
    .trim();
}

/** In quotes; what cannot be seen is written as `\\u{a0}`. */
function quoteUnseen(text: string): string {
  const escape = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  return JSON.stringify(text).replace(UNSEEN, escape);
}

function isTrimmed(text: string): boolean {
  return text === text.trim();
}
