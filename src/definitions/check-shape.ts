// Whether a value of a file has the fields it should have; everything that is wrong comes out at once, each at its place.

import { isObject } from '../platform/is-object.ts';
import { nearest } from '../platform/nearest.ts';
import { quote } from '../platform/quote.ts';

/** Something that is wrong, at a place in a file. */
type ShapeProblem = { path: string[]; message: string; hint?: string };

/** Looks at a value and says what is wrong with it. */
export type Check = (value: unknown, path: string[]) => ShapeProblem[];

export type Fields = { [name: string]: { check: Check; isRequired?: boolean } };

/** An object with these fields and no others. */
export function anObject(fields: Fields): Check {
  return (value, path) => {
    if (!isObject(value)) return [{ path, message: `expected an object, got ${quote(value)}` }];
    const names = Object.keys(fields);
    const unknown = Object.keys(value)
      .filter((name) => fields[name] === undefined && name !== '$schema')
      .map((name) => unknownField(name, names, path));
    const known = Object.entries(fields).flatMap(([name, { check, isRequired = false }]) => {
      const field = value[name];
      if (field !== undefined) return check(field, [...path, name]);
      return isRequired ? [{ path, message: `${quote(name)} is missing` }] : [];
    });
    return [...unknown, ...known];
  };
}

function unknownField(name: string, names: readonly string[], path: string[]): ShapeProblem {
  const near = nearest(name, names);
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : `there is ${names.join(', ')}`;
  return { path: [...path, name], message: `unknown field ${quote(name)}`, hint };
}

/** An object whose names are free. */
export function aRecord(check: Check): Check {
  return (value, path) => {
    if (!isObject(value)) return [{ path, message: `expected an object, got ${quote(value)}` }];
    return Object.entries(value).flatMap(([name, field]) => check(field, [...path, name]));
  };
}

export function aList(check: Check, { isEmptyFine = false } = {}): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return [{ path, message: `expected a list, got ${quote(value)}` }];
    if (value.length === 0 && !isEmptyFine) return [{ path, message: 'the list is empty' }];
    return value.flatMap((item, index) => check(item, [...path, String(index)]));
  };
}

export function oneOf(...values: readonly unknown[]): Check {
  return (value, path) =>
    values.includes(value)
      ? []
      : [{ path, message: `expected ${values.map((one) => quote(one)).join(', ')}, got ${quote(value)}` }];
}

/** A value that satisfies a condition. */
export function that(expected: string, isFine: (value: unknown) => boolean): Check {
  return (value, path) =>
    isFine(value) ? [] : [{ path, message: `expected ${expected}, got ${quote(value)}` }];
}

export const aText = that('a text', (value) => typeof value === 'string' && value.trim() !== '');
export const aSwitch = that('true or false', (value) => typeof value === 'boolean');
export const aCount = that(
  'a whole number from 1',
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
);
export const aValue = that('a text, a number, or true or false', (value) => {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
});
export const anything: Check = () => [];
