// Deep equality of values from any realm.

import { types } from 'node:util';
import { isSameContent } from './equality-content.ts';

/** Compares two values inside a running comparison. */
export type Compare = (a: unknown, b: unknown) => boolean;

/**
 * True if two values have the same kind, constructor name and content. NaN equals itself, 0 equals -0, a property that is
 * undefined counts as a property, functions are compared by identity.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isReference(a) || !isReference(b)) return Number.isNaN(a) && Number.isNaN(b);
  return new Comparison().compare(a, b);
}

/** Takes a pair that is being compared as equal, which ends cycles: a real difference shows elsewhere. */
class Comparison {
  #pairs = new Map<object, Set<object>>();
  #order: [object, object][] = [];

  readonly compare: Compare = (a, b) => {
    if (a === b) return true;
    if (!isReference(a) || !isReference(b)) return Number.isNaN(a) && Number.isNaN(b);
    if (this.#pairs.get(a)?.has(b) === true) return true;
    const before = this.#order.length;
    this.#remember(a, b);
    if (isSameKind(a, b) && isSameContent(a, b, this.compare)) return true;
    // Forget the pairs that were assumed equal below this one: elements of a set are compared more than once.
    this.#forget(before);
    return false;
  };

  #remember(a: object, b: object): void {
    const partners = this.#pairs.get(a) ?? new Set();
    this.#pairs.set(a, partners.add(b));
    this.#order.push([a, b]);
  }

  #forget(length: number): void {
    for (const [a, b] of this.#order.splice(length)) this.#pairs.get(a)?.delete(b);
  }
}

/** Excludes functions, which equal only themselves. */
function isReference(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSameKind(a: object, b: object): boolean {
  if (types.isDate(a) || types.isDate(b)) return types.isDate(a) && types.isDate(b);
  if (types.isNativeError(a) || types.isNativeError(b))
    return types.isNativeError(a) && types.isNativeError(b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  return constructorName(a) === constructorName(b) && readTag(a) === readTag(b);
}

/** The name of the constructor; `Object` for an object without a prototype. */
export function constructorName(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isReference(prototype)) return 'Object';
  const constructor: unknown = Reflect.get(prototype, 'constructor');
  return typeof constructor === 'function' ? constructor.name : '';
}

function readTag(value: object): string {
  return Object.prototype.toString.call(value);
}
