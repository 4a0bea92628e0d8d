// Type: the type of a value, by the name of its class, its `typeof` or a common name.

import { types } from 'node:util';
import type { AssertionCheck } from './assertion.ts';
import { misuse } from './assertion.ts';
import { isThenable } from '../control.ts';
import { isError, show } from './show.ts';

const MAX_ANCESTORS = 100;

/** Type names in addition to those of `typeof`. */
const KINDS: Record<string, (value: unknown) => boolean> = {
  array: (value) => Array.isArray(value),
  date: (value) => types.isDate(value),
  error: isError,
  integer: (value) => Number.isInteger(value),
  map: (value) => types.isMap(value),
  null: (value) => value === null,
  // Lists and null are separate types, as in JSON.
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  promise: isThenable,
  regexp: (value) => types.isRegExp(value),
  set: (value) => types.isSet(value),
};

export const type: AssertionCheck = {
  parameters: ['value', 'type'],
  check(value, name) {
    if (typeof name !== 'string' || name === '') return misuse(`${show(name)} is not the name of a type`);
    if (isOfType(value, name)) return undefined;
    const actual = typeName(value);
    const message = `expected ${show(value)} to be of type ${name}, it is of type ${actual}`;
    return { message, expected: name, actual };
  },
};

function isOfType(value: unknown, name: string): boolean {
  const isKind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (isKind !== undefined) return isKind(value);
  return typeof value === name || classNames(value).includes(name);
}

/** The most specific name: the class of an object, else its `typeof`. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'object') return typeof value;
  const [own = 'Object'] = classNames(value);
  return own === 'Object' ? 'object' : own;
}

/** The names of a value's class and of those it extends. */
function classNames(value: unknown): string[] {
  const names: string[] = [];
  if (value === null || value === undefined) return names;
  let prototype: unknown = Object.getPrototypeOf(value);
  while (prototype !== null && prototype !== undefined && names.length < MAX_ANCESTORS) {
    const constructor: unknown = Object(prototype).constructor;
    if (typeof constructor === 'function') names.push(constructor.name);
    prototype = Object.getPrototypeOf(prototype);
  }
  return names;
}
