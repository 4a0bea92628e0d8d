// length: the answer is as long as it should be.

import type { Problem } from '../../errors.ts';
import { isObject } from '../../json/is-object.ts';
import { nameHint } from '../../schema/shape.ts';
import { didYouMean } from '../../text/nearest.ts';
import { quote } from '../../text/quote.ts';
import { listWords } from '../../text/words.ts';
import type { AssertionType } from '../assertion.ts';
import { missingValue, NO_PROBLEMS, PASS } from '../assertion.ts';
import { VALUE } from '../fields.ts';
import { answerJson, answerText } from '../output.ts';

const COUNTS = {
  characters: countCharacters,
  lines: countLines,
  sentences: (text: string) => countSegments(text, 'sentence'),
  words: (text: string) => listWords(text).length,
};
/** `items` counts the elements of a list; the others count parts of the text. */
const UNITS = ['characters', 'items', 'lines', 'sentences', 'words'] as const;
const FIELDS = ['max', 'min', 'unit'];

type Unit = (typeof UNITS)[number];
type Limits = { min?: number; max?: number; unit?: Unit };

/** The value is the exact length or `{min, max, unit}`. Without a unit, a list has items, and any other answer characters. */
export const length: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (isCount(value)) return NO_PROBLEMS;
    if (!isObject(value))
      return [
        { message: `"length" needs a whole number or {min, max, unit} as "value", not ${quote(value)}` },
      ];
    return checkLimits(value);
  },
  judge({ value }, { output }) {
    // The check before the run allows nothing else.
    const limits: Limits = isObject(value) ? value : { min: Number(value), max: Number(value) };
    const { min = 0, max = Infinity, unit = Array.isArray(output) ? 'items' : 'characters' } = limits;
    const actual = measure(output, unit);
    if (actual === undefined)
      return { pass: false, message: 'the answer is not a list', expected: value, actual: output };
    if (actual >= min && actual <= max) return PASS;
    const noun = actual === 1 ? unit.slice(0, -1) : unit;
    const message = `the answer has ${actual} ${noun}, wanted ${limitText(min, max)}`;
    return { pass: false, message, expected: value, actual };
  },
};

function checkLimits(value: Record<string, unknown>): readonly Problem[] {
  const problems: Problem[] = [];
  for (const field of Object.keys(value)) {
    if (!FIELDS.includes(field))
      problems.push({
        message: `unknown field ${quote(field)} in the value of "length"`,
        hint: nameHint(field, FIELDS),
      });
  }
  const { min, max, unit } = value;
  for (const [name, limit] of Object.entries({ min, max })) {
    if (limit !== undefined && !isCount(limit))
      problems.push({ message: `"${name}" of "length" must be a whole number from 0, not ${quote(limit)}` });
  }
  if (min === undefined && max === undefined)
    problems.push({ message: 'the value of "length" needs "min", "max" or both' });
  if (isCount(min) && isCount(max) && min > max)
    problems.push({ message: `"min" of "length" is ${min}, more than "max", which is ${max}` });
  if (unit !== undefined && !UNITS.some((known) => known === unit))
    problems.push({
      message: `unknown unit ${quote(unit)} of "length"`,
      hint:
        (typeof unit === 'string' ? didYouMean(unit, UNITS) : undefined) ??
        `the units are ${UNITS.join(', ')}`,
    });
  return problems;
}

function measure(output: unknown, unit: Unit): number | undefined {
  if (unit !== 'items') return COUNTS[unit](answerText(output));
  const list = answerJson(output)?.value;
  return Array.isArray(list) ? list.length : undefined;
}

/** Characters as people see them: a letter with its accents is one, and so is an emoji of several parts. */
function countCharacters(text: string): number {
  // Only two ASCII characters, CR and LF, are one together.
  return /^[^\r\u0080-\uffff]*$/.test(text) ? text.length : countSegments(text, 'grapheme');
}

function countLines(text: string): number {
  const trimmed = text.replace(/\r?\n$/, '');
  return text === '' ? 0 : trimmed.split('\n').length;
}

function countSegments(text: string, granularity: 'grapheme' | 'sentence'): number {
  let count = 0;
  for (const { segment } of new Intl.Segmenter('en', { granularity }).segment(text)) {
    if (granularity === 'grapheme' || segment.trim() !== '') count++;
  }
  return count;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function limitText(min: number, max: number): string {
  if (min === max) return `exactly ${min}`;
  if (max === Infinity) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}
