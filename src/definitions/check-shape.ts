// Whether a value of a file has the fields it should have; everything that is wrong comes out at once, each at its place.
// Every check also says what it expects as JSON Schema, for editors.

import { isObject } from '../json/is-object.ts';
import { nearest } from '../text/nearest.ts';
import { quote } from '../text/quote.ts';

/** Something that is wrong, at a place in a file. */
type ShapeProblem = { path: string[]; message: string; hint?: string };

type JsonSchema = { readonly [keyword: string]: unknown };

/** Looks at a value and says what is wrong with it. */
export type Check = {
  (value: unknown, path: string[]): ShapeProblem[];
  /** What it lets pass. */
  schema: JsonSchema;
};

/** The description is what an editor shows. */
export type Fields = { [name: string]: { check: Check; description: string; isRequired?: boolean } };

/** An object with these fields and no others. */
export function anObject(fields: Fields): Check {
  const check = (value: unknown, path: string[]): ShapeProblem[] => {
    if (!isObject(value)) return [{ path, message: `expected an object, got ${quote(value)}` }];
    const names = Object.keys(fields);
    const unknown = Object.keys(value)
      .filter((name) => !Object.hasOwn(fields, name))
      .map((name) => unknownField(name, names, path));
    const known = Object.entries(fields).flatMap(([name, { check, isRequired = false }]) => {
      const field = value[name];
      if (field !== undefined) return check(field, [...path, name]);
      return isRequired ? [{ path, message: `${quote(name)} is missing` }] : [];
    });
    return [...unknown, ...known];
  };
  const required = Object.keys(fields).filter((name) => fields[name]?.isRequired === true);
  const properties = Object.entries(fields).map(([name, { check, description }]) => [
    name,
    { description, ...check.schema },
  ]);
  return withSchema(check, {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonSchema,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  });
}

function unknownField(name: string, names: readonly string[], path: string[]): ShapeProblem {
  const near = nearest(name, names);
  const isOneLevelShort = names.length === 1 && names[0] === path.at(-1);
  const other = isOneLevelShort
    ? `write "${name}" into a further "${names[0] ?? ''}" in here`
    : `there is ${names.join(', ')}`;
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : other;
  return { path: [...path, name], message: `unknown field ${quote(name)}`, hint };
}

/** An object whose names are free. */
export function aRecord(check: Check): Check {
  const checkAll = (value: unknown, path: string[]): ShapeProblem[] => {
    if (!isObject(value)) return [{ path, message: `expected an object, got ${quote(value)}` }];
    return Object.entries(value).flatMap(([name, field]) => check(field, [...path, name]));
  };
  return withSchema(checkAll, { type: 'object', additionalProperties: check.schema });
}

export function aList(check: Check, { isEmptyFine = false } = {}): Check {
  const checkAll = (value: unknown, path: string[]): ShapeProblem[] => {
    if (!Array.isArray(value)) return [{ path, message: `expected a list, got ${quote(value)}` }];
    if (value.length === 0 && !isEmptyFine) return [{ path, message: 'the list is empty' }];
    return value.flatMap((item, index) => check(item, [...path, String(index)]));
  };
  return withSchema(checkAll, {
    type: 'array',
    items: check.schema,
    ...(!isEmptyFine && { minItems: 1 }),
  });
}

/** One such value, which is no list itself, or a list of them. */
export function oneOrMore(check: Check): Check {
  const list = aList(check);
  return withSchema((value, path) => (Array.isArray(value) ? list : check)(value, path), {
    anyOf: [check.schema, list.schema],
  });
}

export function oneOf(...values: readonly unknown[]): Check {
  const expected = (): string => values.map((one) => quote(one)).join(', ');
  return withSchema(
    (value, path) => {
      if (values.includes(value)) return [];
      const message = `expected ${expected()}, got ${quote(value)}`;
      const isNumber = typeof value === 'number' && values.some((one) => Number(one) === value);
      return [isNumber ? { path, message, hint: 'write it in quotes' } : { path, message }];
    },
    { enum: values },
  );
}

/** A text that matches. */
export function aTextLike(expected: string, pattern: RegExp): Check {
  const schema = { type: 'string', pattern: pattern.source };
  return that(expected, schema, (value) => typeof value === 'string' && pattern.test(value));
}

/** A value that satisfies a condition, which the schema states as well as it can. */
export function that(expected: string, schema: JsonSchema, isFine: (value: unknown) => boolean): Check {
  return withSchema(
    (value, path) => (isFine(value) ? [] : [{ path, message: `expected ${expected}, got ${quote(value)}` }]),
    schema,
  );
}

/** The same check, with rules in its schema that are checked elsewhere: they depend on several fields. */
export function withRules(check: Check, rules: JsonSchema): Check {
  return withSchema((value, path) => check(value, path), { ...check.schema, ...rules });
}

function withSchema(check: (value: unknown, path: string[]) => ShapeProblem[], schema: JsonSchema): Check {
  return Object.assign(check, { schema });
}

export const aText = aTextLike('a text', /\S/);
export const aSwitch = that('true or false', { type: 'boolean' }, (value) => typeof value === 'boolean');
/** A whole number from 1. */
export function aCount(most: number): Check {
  const expected = `a whole number from 1 to ${most.toLocaleString('en')}`;
  return that(
    expected,
    { type: 'integer', minimum: 1, maximum: most },
    (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most,
  );
}
export const aValue = that(
  'a text, a number, or true or false',
  { type: ['string', 'number', 'boolean'] },
  (value) => typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value),
);
export const anything: Check = withSchema(() => [], {});
