// Compares the content of two objects of the same kind. Calls no method of the objects: tests may patch them.

import { types } from 'node:util';
import type { Compare } from './equality.ts';

// Tests may replace it.
const { compare: compareBytes } = Buffer;

/** True if two objects have the same content; `compare` decides about the values inside. */
export function isSameContent(a: object, b: object, compare: Compare): boolean {
  if (types.isNativeError(a) && types.isNativeError(b)) return a.name === b.name && a.message === b.message;
  return hasSameInternals(a, b, compare) && hasSameProperties(a, b, compare);
}

/** Compares the content of an object that is not in its properties. */
function hasSameInternals(a: object, b: object, compare: Compare): boolean {
  if (types.isDate(a) && types.isDate(b)) return compare(readTime(a), readTime(b));
  if (types.isRegExp(a) && types.isRegExp(b)) return String(new RegExp(a)) === String(new RegExp(b));
  if (types.isMap(a) && types.isMap(b)) return isSameMap(a, b, compare);
  if (types.isSet(a) && types.isSet(b)) return isSameSet(a, b, compare);
  if (types.isBoxedPrimitive(a) && types.isBoxedPrimitive(b)) return compare(unboxed(a), unboxed(b));
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return isSameView(a, b, compare);
  if (types.isAnyArrayBuffer(a) && types.isAnyArrayBuffer(b)) {
    return isSameView(new Uint8Array(a), new Uint8Array(b), compare);
  }
  // Their content is not accessible, and they are different objects.
  return !types.isPromise(a) && !types.isWeakMap(a) && !types.isWeakSet(a);
}

function readTime(date: Date): number {
  return Date.prototype.getTime.call(date);
}

function unboxed(box: object): unknown {
  if (types.isNumberObject(box)) return Number.prototype.valueOf.call(box);
  if (types.isStringObject(box)) return String.prototype.valueOf.call(box);
  if (types.isBooleanObject(box)) return Boolean.prototype.valueOf.call(box);
  if (types.isBigIntObject(box)) return BigInt.prototype.valueOf.call(box);
  return Symbol.prototype.valueOf.call(box);
}

function isSameMap(
  a: ReadonlyMap<unknown, unknown>,
  b: ReadonlyMap<unknown, unknown>,
  compare: Compare,
): boolean {
  const rest = new Map(Map.prototype.entries.call(b));
  const left: [unknown, unknown][] = [];
  for (const [key, value] of Map.prototype.entries.call(a)) {
    if (!rest.has(key)) left.push([key, value]);
    else if (!compare(value, rest.get(key))) return false;
    else rest.delete(key);
  }
  return canPair(left, [...rest], (mine, other) => compare(mine[0], other[0]) && compare(mine[1], other[1]));
}

function isSameSet(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>, compare: Compare): boolean {
  const rest = new Set(Set.prototype.values.call(b));
  const left: unknown[] = [];
  for (const element of Set.prototype.values.call(a)) if (!rest.delete(element)) left.push(element);
  return canPair(left, [...rest], compare);
}

/** True if every element has a match of its own, in any order. */
function canPair<T>(elements: T[], candidates: T[], matches: (a: T, b: T) => boolean): boolean {
  if (elements.length !== candidates.length) return false;
  return elements.every((element) => {
    const at = candidates.findIndex((candidate) => matches(element, candidate));
    if (at !== -1) candidates.splice(at, 1);
    return at !== -1;
  });
}

function isSameView(a: ArrayBufferView, b: ArrayBufferView, compare: Compare): boolean {
  if (a.byteLength !== b.byteLength) return false;
  if (!isFloats(a) || !isFloats(b)) return compareBytes(asBytes(a), asBytes(b)) === 0;
  return new Float64Array(a).every((number, index) => compare(number, b[index]));
}

/** Floats cannot be compared as bytes: NaN and 0 have several encodings. */
function isFloats(view: ArrayBufferView): view is Float32Array | Float64Array {
  return types.isFloat32Array(view) || types.isFloat64Array(view);
}

function asBytes(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function hasSameProperties(a: object, b: object, compare: Compare): boolean {
  // The elements of a typed array were compared as bytes.
  if (ArrayBuffer.isView(a)) return true;
  if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) return false;
  const keys = enumerableKeys(a);
  const others = enumerableKeys(b);
  if (keys.length !== others.length) return false;
  return keys.every((key) => isEnumerable(b, key) && compare(Reflect.get(a, key), Reflect.get(b, key)));
}

function enumerableKeys(value: object): (string | symbol)[] {
  const symbols = Object.getOwnPropertySymbols(value);
  if (symbols.length === 0) return Object.keys(value);
  return [...Object.keys(value), ...symbols.filter((symbol) => isEnumerable(value, symbol))];
}

function isEnumerable(value: object, key: string | symbol): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, key);
}
