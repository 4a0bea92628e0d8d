// Assertions on the text of an answer.

import { messageOf } from '../../errors.ts';
import { compilePattern } from '../../platform/regex.ts';
import { splitList } from '../source/text-assertion.ts';
import { scalarText } from '../template/scalar-text.ts';
import type { AssertionContext, Converter, GivenAssertion, Written } from './given.ts';
import { ANSWER_TEXT } from './given.ts';

export const TEXTS: Record<string, Converter> = {
  contains: (given, context) => oneText('contains', given, context),
  'contains-all': (given, context) => severalTexts('contains_all', given, context),
  'contains-any': (given, context) => severalTexts('contains_any', given, context),
  equals,
  icontains: (given, context) => oneText('icontains', given, context),
  'icontains-all': (given, context) => severalTexts('contains_all', given, context, { ignore_case: true }),
  'icontains-any': (given, context) => severalTexts('contains_any', given, context, { ignore_case: true }),
  regex,
  'starts-with': (given, context) => oneText('starts_with', given, context),
  'word-count': wordCount,
};

function oneText(
  type: string,
  { value, at, name }: GivenAssertion,
  { losses }: AssertionContext,
): Written | undefined {
  const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
  if (isText) return { type, value: String(value) };
  return void losses.missing(at, name, `it needs a text as value, not ${JSON.stringify(value)}`);
}

function severalTexts(
  type: string,
  { value, at, name }: GivenAssertion,
  { losses }: AssertionContext,
  fields: Written = {},
): Written | undefined {
  const list = typeof value === 'string' ? splitList(value) : value;
  if (!Array.isArray(list) || list.length === 0)
    return void losses.missing(at, name, 'it needs a list of texts as value');
  const texts = list.map(String);
  // Every text contains the empty one.
  if (type === 'contains_any' && texts.includes(''))
    return void losses.missing(at, name, 'an empty text is in every answer, so that it always holds');
  return { type, value: texts.filter((text) => text !== ''), ...fields };
}

/** Objects are compared with an answer that is JSON as a whole, everything else with the text. */
function equals(
  { value, at, name }: GivenAssertion,
  { losses, isStructured }: AssertionContext,
): Written | undefined {
  if (value === undefined) return void losses.missing(at, name, 'it has no value');
  if (typeof value === 'object' && value !== null)
    return { type: 'all_of', value: [{ type: 'is_json' }, { type: 'equals', value }] };
  const text = { type: 'equals', value: scalarText(value) ?? 'null' };
  return isStructured ? { ...text, transform: ANSWER_TEXT } : text;
}

/** Constructs that mean the same in JavaScript and in RE2. White space, for one, does not. */
const SAME =
  /^(?:[^\\[\](){}?*+|^$]|\\[dDwWbB.+*?()|[\]{}^$\\/-]|\[(?:[^\\[\]]|\\[dDwW.+*?()|[\]{}^$\\/-])+\]|\(\?:|[()?*+|^$]|\{\d+(?:,\d*)?\})*$/;

function regex(
  { value, at, name, isNegated }: GivenAssertion,
  { losses }: AssertionContext,
): Written | undefined {
  if (typeof value !== 'string' || value === '')
    return void losses.missing(at, name, 'it needs a pattern as value');
  let pattern: RegExp;
  try {
    pattern = new RegExp(value);
  } catch (error) {
    return void losses.missing(
      at,
      name,
      `promptfoo cannot read the pattern either: ${messageOf(error)}`,
      `write {"type": "regex"${isNegated ? ', "negate": true' : ''}} with a pattern of RE2, which knows (?i)`,
    );
  }
  if (SAME.test(value) && isRe2(value)) return { type: 'regex', value };
  return { type: 'expression', value: `${String(pattern)}.test(${ANSWER_TEXT})` };
}

function isRe2(pattern: string): boolean {
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}

/** promptfoo counts what is between white space. */
function wordCount({ value, at, name }: GivenAssertion, { losses }: AssertionContext): Written | undefined {
  const limits = typeof value === 'string' ? Number(value) : value;
  const { min, max } = (typeof limits === 'object' ? limits : { min: limits, max: limits }) as {
    min?: unknown;
    max?: unknown;
  };
  const conditions = [
    typeof min === 'number' && !Number.isNaN(min) && `count >= ${min}`,
    typeof max === 'number' && !Number.isNaN(max) && `count <= ${max}`,
  ].filter((condition) => typeof condition === 'string');
  if (conditions.length === 0) return void losses.missing(at, name, 'it needs a number, or min and max');
  const count = `(${ANSWER_TEXT}).trim().split(/\\s+/).filter(Boolean).length`;
  const message = 'message: `${count} words`';
  return {
    type: 'expression',
    value: `const count = ${count};\nreturn { pass: ${conditions.join(' && ')}, ${message} };`,
  };
}
