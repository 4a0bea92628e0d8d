// Texts by name, and HTTP headers.

import { record } from './object.ts';
import type { Shape } from './shape.ts';
import { nulProblem, stringFor, that, variableNameProblem, withRule } from './values.ts';

type Scalar = string | number | boolean;

const EXPECTED = 'an object of names and values';

/** Numbers and booleans count as text. */
const textLike: Shape<Scalar> = that('text', { type: ['string', 'number', 'boolean'] }, (value) =>
  ['boolean', 'number', 'string'].includes(typeof value),
);

/** Environment variables of a process. */
export const environment = record(withRule(textLike, nulProblem), {
  expected: EXPECTED,
  nameProblem: variableNameProblem,
});

/** Header names and values; numbers and booleans are sent as text. */
export const headers = headersOf(textLike);

/** Header names and values that are text already. */
export const textHeaders = headersOf(stringFor('text'));

function headersOf<T extends Scalar>(content: Shape<T>): Shape<Record<string, T>> {
  const value = withRule(content, (text) =>
    /^[\t\x20-\x7e\x80-\xff]*$/.test(String(text)) ? undefined : 'has characters that no header may have',
  );
  const nameProblem = (name: string): string | undefined =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? undefined : 'is not the name of a header';
  return record(value, { expected: EXPECTED, nameProblem });
}

/** The values as text. */
export function toTexts(values: Record<string, Scalar>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** The same value with its headers as they are sent. */
export function withHeaderTexts<T extends { headers?: Record<string, Scalar> }>(
  value: T,
): Omit<T, 'headers'> & { headers?: Record<string, string> } {
  const { headers: values, ...others } = value;
  return values === undefined ? others : { ...others, headers: toTexts(values) };
}
