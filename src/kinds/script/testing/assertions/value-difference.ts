// Shows a reader why two values are not equal, even if they print the same.

import { describeDiff } from '../../../../judge/diff.ts';
import { constructorName } from './equality.ts';
import { reportValue } from './report-value.ts';
import { isError, show, showLines } from './show.ts';
import { textDiff, textMessage } from './text-difference.ts';

/** Maximum number of characters of each side to compare. */
const MAX_COMPARED = 200_000;

type Sides = { expected?: string; actual?: string; diff?: string };

/** @example inequalityMessage([1], [2]) // 'expected [ 1 ] to equal [ 2 ]' */
export function inequalityMessage(actual: unknown, expected: unknown): string {
  if (typeof actual === 'string' && typeof expected === 'string') return textMessage(actual, expected);
  const [left, right] = [show(actual), show(expected)];
  const message = `expected ${left} to equal ${right}`;
  const isAlike = left === right && showLines(actual) === showLines(expected);
  return isAlike ? `${message}; they look alike, but are not equal` : message;
}

/** Additions to a report of two values: their difference, and labelled texts where both values would look the same. */
export function comparedSides(expected: unknown, actual: unknown): Sides {
  try {
    return findSides(expected, actual);
  } catch {
    // The library that compares runs in the realm of the process, whose built-ins tests may patch.
    return {};
  }
}

function findSides(expected: unknown, actual: unknown): Sides {
  if (typeof expected === 'string' && typeof actual === 'string') return withDiff(textDiff(expected, actual));
  if (isStructure(expected) && isStructure(actual)) return withDiff(structureDiff(expected, actual));
  return hasSameReport(expected, actual) ? labelledSides(expected, actual) : {};
}

function withDiff(diff: string | undefined): { diff?: string } {
  return diff === undefined ? {} : { diff };
}

function structureDiff(expected: object, actual: object): string | undefined {
  const [before, after] = [reportValue(expected, MAX_COMPARED), reportValue(actual, MAX_COMPARED)];
  if (isStructure(before) && isStructure(after) && JSON.stringify(before) !== JSON.stringify(after)) {
    return describeDiff(before, after);
  }
  const [left, right] = [showLines(expected), showLines(actual)];
  if (left === right) return undefined;
  return left.includes('\n') || right.includes('\n') ? describeDiff(left, right) : undefined;
}

/** True if a report shows both values alike: a date and its text, for example. */
function hasSameReport(expected: unknown, actual: unknown): boolean {
  return JSON.stringify(reportValue(expected)) === JSON.stringify(reportValue(actual));
}

function labelledSides(expected: unknown, actual: unknown): Sides {
  const [before, after] = [labelled(expected), labelled(actual)];
  if (before === after) return {};
  return { expected: before, actual: after, diff: `- expected\n+ actual\n\n- ${before}\n+ ${after}` };
}

/** `Date 1970-01-01T00:00:00.000Z`, `bigint 1n`, `"1n"`. */
function labelled(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const text = show(value);
  if (value === undefined || typeof value === 'function' || isError(value)) return text;
  return `${isStructure(value) ? constructorName(value) : typeof value} ${text}`;
}

function isStructure(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isError(value);
}
