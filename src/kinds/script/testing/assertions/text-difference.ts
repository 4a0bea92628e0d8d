// Shows a reader where two texts differ: writes invisible characters as escapes, and cuts long texts.

import { describeDiff } from '../../../../judge/diff.ts';

/** Longer texts are shown only around the first difference. */
const MAX_WHOLE = 80;
const BEFORE = 30;
const AFTER = 50;
/** White space other than a blank, control and format characters, and combining accents. */
const INVISIBLE = /(?! )[\p{Z}\p{C}\p{M}]/gu;
/** Characters without width. */
const ZERO_WIDTH = /(?![\n\t])[\p{Cc}\p{Cf}\ufe00-\ufe0f]/gu;

/** Both texts in quotes, and a sentence with the position of the first difference in long texts. */
type Excerpts = { expected: string; actual: string; position: string };

/** The message for two texts that are not equal. */
export function textMessage(actual: string, expected: string): string {
  const shown = createExcerpts(expected, actual);
  const position = shown.position === '' ? '' : `; ${shown.position}`;
  return `expected ${shown.actual} to equal ${shown.expected}${position}`;
}

/** The difference; undefined if it is obvious from the two texts alone. */
export function textDiff(expected: string, actual: string): string | undefined {
  const isAlike = looksLike(expected, actual);
  if (!isAlike && (expected.includes('\n') || actual.includes('\n'))) return describeDiff(expected, actual);
  const isShort = Math.max(expected.length, actual.length) <= MAX_WHOLE;
  if (isShort && !isAlike && isTrimmed(expected) && isTrimmed(actual)) return undefined;
  const shown = createExcerpts(expected, actual);
  const position = shown.position === '' ? '' : `\n  ${shown.position}`;
  return `- expected\n+ actual\n\n- ${shown.expected}\n+ ${shown.actual}${position}`;
}

function createExcerpts(expected: string, actual: string): Excerpts {
  const quote = looksLike(expected, actual) ? quoteInvisible : JSON.stringify;
  if (Math.max(expected.length, actual.length) <= MAX_WHOLE) {
    return { expected: quote(expected), actual: quote(actual), position: '' };
  }
  const start = firstDifference(expected, actual);
  return {
    expected: excerpt(expected, start, quote),
    actual: excerpt(actual, start, quote),
    position: `the first difference is at character ${String(start + 1)}`,
  };
}

/** The index where the texts begin to differ, never inside a surrogate pair. */
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

/** The visible part of a text in a report, without white space at the ends of lines. */
function visible(text: string): string {
  const spaced = text.normalize('NFC').replace(ZERO_WIDTH, '');
  return spaced
    .replaceAll(/[^\S\n]/g, ' ')
    .replaceAll(/ +$/gm, '')
    .trim();
}

/** Quotes a text with invisible characters as `\\u{a0}`. */
function quoteInvisible(text: string): string {
  const escape = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  return JSON.stringify(text).replace(INVISIBLE, escape);
}

function isTrimmed(text: string): boolean {
  return text === text.trim();
}
