// Readable differences with a limited size: line diffs, and values cut to fit into a report.

import { createRequire } from 'node:module';
import { isObject } from '../json/is-object.ts';
import { cutText } from '../text/cut-text.ts';

const MAX_LINES = 100;
const MAX_CHARACTERS = 8 * 1024;
/** Cap on compared lines: the diff takes quadratic time at worst. */
const MAX_COMPARED = 1000;
/** Cap on compared characters. */
const MAX_TEXT = 1024 * 1024;
const MAX_VALUE = 64 * 1024;
const KEPT_OF_VALUE = 4 * 1024;
const CONTEXT = 3;
const ELLIPSIS = '  …';

const load = createRequire(import.meta.url);

/** A line diff of two JSON values without colours; `-` is expected, `+` is actual. */
export function describeDiff(expected: unknown, actual: unknown): string {
  const areTexts = typeof expected === 'string' && typeof actual === 'string';
  const hasLines = areTexts && (expected.includes('\n') || actual.includes('\n'));
  const before = hasLines ? splitLines(expected) : jsonLines(expected);
  const after = hasLines ? splitLines(actual) : jsonLines(actual);
  const isShort = before.length === 1 && after.length === 1;
  const body = isShort ? `- ${before[0]}\n+ ${after[0]}` : diffLines(before, after);
  return limitText(`- expected\n+ actual\n\n${body}`);
}

/** The value itself, or the beginning of its text if it is too large to keep. */
export function limitValue(value: unknown): unknown {
  if (typeof value !== 'object' && typeof value !== 'string') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= MAX_VALUE) return value;
  return `${cutText(text, KEPT_OF_VALUE)}… (${text.length} characters)`;
}

/** A value as lines of JSON with sorted keys. */
function jsonLines(value: unknown): string[] {
  return splitLines(JSON.stringify(sortKeys(value), undefined, 2) ?? 'nothing');
}

function splitLines(text: string): string[] {
  return text.slice(0, MAX_TEXT).split('\n');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

/** Skips the equal lines at both ends and compares only the lines between them. */
function diffLines(before: string[], after: string[]): string {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const from = Math.max(0, head - CONTEXT);
  const skipped = Math.max(0, tail - CONTEXT);
  const middle = (lines: string[]) =>
    lines.slice(from, Math.min(lines.length - skipped, from + MAX_COMPARED));

  // Loaded with the first diff of several lines. `require` has no types, hence the cast.
  const { diffLinesUnified } = load('@vitest/utils/diff') as typeof import('@vitest/utils/diff');
  const lines = diffLinesUnified(middle(before), middle(after), PLAIN)
    .split('\n')
    // Line numbers of patch marks would count from the first compared line, so they are hidden.
    .map((line) => (line.startsWith('@@ ') ? ELLIPSIS : line));
  if (from > 0 && lines[0] !== ELLIPSIS) lines.unshift(ELLIPSIS);
  const rest = Math.max(before.length, after.length) - skipped - from - MAX_COMPARED;
  if (rest > 0) lines.push(`  … ${rest} more lines not compared`);
  else if (skipped > 0) lines.push(ELLIPSIS);
  return lines.join('\n');
}

function limitText(text: string): string {
  const lines = text.split('\n');
  const kept = cutText(lines.slice(0, MAX_LINES).join('\n'), MAX_CHARACTERS);
  if (kept.length === text.length) return text;
  const left = lines.length - kept.split('\n').length;
  return left > 0 ? `${kept}\n… ${left} more lines` : `${kept}… (${text.length} characters)`;
}

const same = (text: string): string => text;

const PLAIN = {
  aColor: same,
  bColor: same,
  changeColor: same,
  changeLineTrailingSpaceColor: same,
  commonColor: same,
  commonLineTrailingSpaceColor: same,
  patchColor: same,
  emptyFirstOrLastLinePlaceholder: '',
  omitAnnotationLines: true,
  expand: false,
  contextLines: CONTEXT,
};
