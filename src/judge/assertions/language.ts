// language: the answer is written in a language.

import { isObject } from '../../json/is-object.ts';
import { didYouMean } from '../../text/nearest.ts';
import { quote } from '../../text/quote.ts';
import type { AssertionType, Judgement } from '../assertion.ts';
import { missingValue, NO_PROBLEMS } from '../assertion.ts';
import { VALUE } from '../fields.ts';
import { SCRIPTS } from '../language/scripts.ts';

const CODES = [...new Set(SCRIPTS.flatMap(({ languages }) => languages))].sort();

/** The value is an ISO 639-1 code, or a list of codes of which one must be right. A text that is too short to tell is an error. */
export const language: AssertionType = {
  fields: { value: VALUE },
  check(assertion) {
    const { value } = assertion;
    if (value === undefined) return missingValue(assertion);
    if (Array.isArray(value) && value.length === 0) return [{ message: 'the list of "language" is empty' }];
    const unknown = [value].flat().find((code) => !CODES.some((known) => known === code));
    return unknown === undefined
      ? NO_PROBLEMS
      : [{ message: `unknown language ${quote(unknown)}`, hint: codeHint(unknown) }];
  },
  // The words of all languages are loaded there, and only there.
  place: () => 'apart',
  async judge({ value }, { output }) {
    const { detectLanguages } = await import('../language/detect.ts');
    const text = proseOf(output);
    if (text.trim() === '') return { pass: false, message: 'no answer', expected: value, actual: output };
    const { languages, scripts } = detectLanguages(text);
    const wanted = [value].flat().map(String);
    return decide(wanted, languages, scripts, { expected: value, actual: output });
  },
};

function decide(
  wanted: readonly string[],
  languages: readonly string[],
  scripts: readonly string[],
  values: Pick<Judgement, 'actual' | 'expected'>,
): Judgement {
  const [first] = languages;
  if (first === undefined)
    return { pass: false, message: 'the answer is in a script of none of these languages', ...values };
  if (languages.every((code) => wanted.includes(code))) return { pass: true };
  if (languages.some((code) => wanted.includes(code))) throw new Error(openText(languages, scripts));
  const found = languages.length === 1 ? nameOf(first) : `not ${wanted.map(nameOf).join(' or ')}`;
  const instead = languages.length === 1 ? `, not ${wanted.map(nameOf).join(' or ')}` : '';
  return { pass: false, message: `the language of the answer is ${found}${instead}`, ...values };
}

function openText(languages: readonly string[], scripts: readonly string[]): string {
  if (scripts.length === 0) return 'the answer has too few letters to tell its language';
  if (languages.length > 6) return 'the answer is too short to tell its language';
  return `the language of the answer cannot be told: it may be ${languages.map(nameOf).join(' or ')}`;
}

/** `German (de)` */
function nameOf(code: string): string {
  return `${englishName(code)} (${code})`;
}

let names: Intl.DisplayNames | undefined;

function englishName(code: string): string {
  // Made when it is needed: this takes time, and most runs do not need it.
  names ??= new Intl.DisplayNames('en', { type: 'language' });
  return names.of(code) ?? code;
}

function codeHint(unknown: unknown): string {
  const all = `the languages are ${CODES.join(', ')}`;
  if (typeof unknown !== 'string') return all;
  const plain = unknown.toLowerCase();
  const [base = ''] = plain.split(/[-_]/);
  const meant = CODES.find((code) => code === base || englishName(code).toLowerCase() === plain);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return (plain.length > 3 ? didYouMean(plain, CODES) : undefined) ?? all;
}

/** The texts of an answer; of a structured answer those in its values, because names of fields are often English. */
function proseOf(output: unknown): string {
  if (typeof output === 'string') return output;
  const texts: string[] = [];
  // An explicit stack, because an answer may be nested deeper than the call stack.
  const parts = [output];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (typeof part === 'string') texts.push(part);
    else if (Array.isArray(part)) parts.push(...part.toReversed());
    else if (isObject(part)) parts.push(...Object.values(part).toReversed());
  }
  return texts.join('\n');
}
