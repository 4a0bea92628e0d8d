// Texts, numbers, switches and choices.

import { didYouMean } from '../text/nearest.ts';
import { quote } from '../text/quote.ts';
import type { JsonSchema, Shape } from './shape.ts';
import { groupDigits } from '../text/group-digits.ts';

/** A value that satisfies a condition, which the schema states as far as JSON Schema can. */
export function that<T>(
  expected: string,
  schema: JsonSchema,
  isValid: (value: unknown) => boolean,
  hint?: string,
): Shape<T> {
  return {
    check(value, findings) {
      if (!isValid(value)) findings.wrong(expected, value, hint);
    },
    schema: () => schema,
  };
}

/** The same shape with one more rule for values that have it: `rule` says what is wrong, or nothing. */
export function withRule<T>(
  shape: Shape<T>,
  rule: (value: T) => string | undefined,
  schema: JsonSchema = {},
  hint?: string,
): Shape<T> {
  return {
    check(value, findings) {
      const before = findings.count;
      shape.check(value, findings);
      if (findings.count > before) return;
      // The shape has just been checked.
      const message = rule(value as T);
      if (message !== undefined) findings.rule(message, hint);
    },
    schema: () => ({ ...shape.schema(), ...schema }),
  };
}

/** Any text, also an empty one; messages say what it is for: 'the address of the agent'. */
export function stringFor(expected: string, hint?: string): Shape<string> {
  return that(expected, { type: 'string' }, (value) => typeof value === 'string', hint);
}

export const string = stringFor('a string');

/** A text that a process can be given, as an argument or in its environment. */
export const processText = withRule(string, nulProblem);

/** What is wrong with a text for a process. */
export function nulProblem(value: unknown): string | undefined {
  return String(value).includes('\0') ? 'has a NUL character, which no process can be given' : undefined;
}

/** What is wrong with the name of an environment variable. */
export function variableNameProblem(name: string): string | undefined {
  return /^[^=\0]+$/.test(name) ? undefined : 'is not the name of an environment variable';
}

/** A text with at least one character. */
export const name: Shape<string> = {
  check(value, findings) {
    if (typeof value !== 'string') findings.wrong('a string', value);
    else if (value === '') findings.rule('must not be empty');
  },
  schema: () => ({ type: 'string', minLength: 1 }),
};

/** A text that matches a pattern. */
export function matching(expected: string, pattern: RegExp): Shape<string> {
  const schema = { type: 'string', pattern: pattern.source };
  return that(expected, schema, (value) => typeof value === 'string' && pattern.test(value));
}

/** A text that is not blank. */
export const text: Shape<string> = matching('a text', /\S/);

export const boolean: Shape<boolean> = that(
  'true or false',
  { type: 'boolean' },
  (value) => typeof value === 'boolean',
);

export const number: Shape<number> = that('a number', { type: 'number' }, (value) => Number.isFinite(value));

export function integer(
  expected: string,
  limits: { minimum?: number; maximum?: number } = {},
): Shape<number> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = limits;
  return that(
    expected,
    { type: 'integer', ...limits },
    (value) => Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  );
}

/** A whole number from 1. */
export function count(maximum: number): Shape<number> {
  return integer(`a whole number from 1 to ${groupDigits(maximum)}`, { minimum: 1, maximum });
}

export function oneOf<const T>(...values: readonly T[]): Shape<T> {
  return {
    check(value, findings) {
      // A cast, because `includes` asks for a value of the list.
      if (values.includes(value as T)) return;
      findings.wrong(listChoices(values), value, choiceHint(value, values));
    },
    schema: () => ({ enum: values }),
  };
}

function listChoices(values: readonly unknown[]): string {
  const last = quote(values.at(-1));
  const others = values.slice(0, -1).map((one) => quote(one));
  return others.length === 0 ? last : `${others.join(', ')} or ${last}`;
}

function choiceHint(value: unknown, values: readonly unknown[]): string | undefined {
  if (typeof value === 'string') return didYouMean(value, values.map(String));
  const isUnquoted = typeof value === 'number' && values.some((one) => Number(one) === value);
  return isUnquoted ? 'write it in quotes' : undefined;
}

/** A text, a number or a switch: what a variable can be. */
export const scalar: Shape<string | number | boolean> = that(
  'a text, a number, or true or false',
  { type: ['string', 'number', 'boolean'] },
  (value) => typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value),
);

/** The same shape; null counts as well. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    check(value, findings) {
      if (value !== null) shape.check(value, findings);
    },
    schema: () => ({ anyOf: [shape.schema(), { type: 'null' }] }),
  };
}

/** Several shapes; `pick` chooses the one that a value is checked against, and its messages come from. */
export function variants<T>(shapes: readonly Shape<T>[], pick: (value: unknown) => Shape<T>): Shape<T> {
  return {
    check: (value, findings) => pick(value).check(value, findings),
    schema: () => ({ anyOf: shapes.map((shape) => shape.schema()) }),
  };
}

export const anything: Shape = { check: () => undefined, schema: () => ({}) };
