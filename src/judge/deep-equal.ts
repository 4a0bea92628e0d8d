// Equality of JSON values, as their authors mean it.

import { isObject } from '../json/is-object.ts';

/**
 * True if two JSON values are the same: the order of keys is free, that of elements is not, 0 is -0.
 * A property that is undefined is no property, as in JSON text.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isSameScalar(a, b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, index) => deepEqual(element, b[index]));
  }
  return countOf(a) === countOf(b) && hasEntries(a, b, deepEqual);
}

/**
 * True if `actual` has everything `expected` asks for: an object may have more keys, at any depth; a list has exactly
 * the elements asked for, each of which may have more keys.
 */
export function isSuperset(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((element, index) => isSuperset(actual[index], element));
  }
  if (isObject(expected)) return isObject(actual) && hasEntries(actual, expected, isSuperset);
  return deepEqual(actual, expected);
}

/** What `actual` has of that which `expected` asks for: the keys nobody asked for are left out, at any depth. */
export function askedPart(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((element, index) =>
      index < expected.length ? askedPart(element, expected[index]) : element,
    );
  }
  if (!isObject(actual) || !isObject(expected)) return actual;
  const asked = Object.entries(actual).filter(([key]) => Object.hasOwn(expected, key));
  return Object.fromEntries(asked.map(([key, value]) => [key, askedPart(value, expected[key])]));
}

/** NaN is no JSON but an agent may return it; a missing value is null, as in a JSON list. */
function isSameScalar(a: unknown, b: unknown): boolean {
  return (a ?? null) === (b ?? null) || (Number.isNaN(a) && Number.isNaN(b));
}

function hasEntries(
  actual: object,
  expected: object,
  matches: (actual: unknown, expected: unknown) => boolean,
): boolean {
  for (const key of Object.keys(expected)) {
    const wanted = valueAt(expected, key);
    if (wanted === undefined) continue;
    const found = valueAt(actual, key);
    if (found === undefined || !matches(found, wanted)) return false;
  }
  return true;
}

function countOf(value: object): number {
  let count = 0;
  for (const key of Object.keys(value)) if (valueAt(value, key) !== undefined) count++;
  return count;
}

/** The own property, never an inherited one such as `constructor`. */
function valueAt(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
