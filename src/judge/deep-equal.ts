// Equality of JSON values.

import { isObject } from '../json/is-object.ts';

/**
 * True if two JSON values are equal. The order of keys does not matter, the order of elements does, and 0 equals -0.
 * Undefined properties are ignored, as in JSON text.
 */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isSameScalar(a, b);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, index) => deepEqual(element, b[index]));
  }
  return countDefined(a) === countDefined(b) && hasEntries(a, b, deepEqual);
}

/**
 * True if `actual` has everything in `expected`: objects may have more keys, at any depth; lists must have the same
 * length. `isSame` compares everything else.
 */
export function isSuperset(actual: unknown, expected: unknown, isSame = deepEqual): boolean {
  const isInside = (inner: unknown, wanted: unknown): boolean => isSuperset(inner, wanted, isSame);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((element, index) => isInside(actual[index], element));
  }
  if (isObject(expected)) return isObject(actual) && hasEntries(actual, expected, isInside);
  return isSame(actual, expected);
}

/** Copies `actual` without the keys that `expected` does not have, at any depth. */
export function pickExpectedKeys(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((element, index) =>
      index < expected.length ? pickExpectedKeys(element, expected[index]) : element,
    );
  }
  if (!isObject(actual) || !isObject(expected)) return actual;
  const shared = Object.entries(actual).filter(([key]) => Object.hasOwn(expected, key));
  return Object.fromEntries(shared.map(([key, value]) => [key, pickExpectedKeys(value, expected[key])]));
}

/** NaN is not JSON, but an agent may return it. A missing value counts as null, as in a JSON list. */
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

function countDefined(value: object): number {
  let count = 0;
  for (const key of Object.keys(value)) if (valueAt(value, key) !== undefined) count++;
  return count;
}

/** Reads an own property, never an inherited one such as `constructor`. */
function valueAt(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
