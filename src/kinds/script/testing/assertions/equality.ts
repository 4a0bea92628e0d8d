// Deep equality of whatever a test compares, whichever realm it was made in.

import { types } from 'node:util';
import { isSameContent } from './equality-content.ts';

/** Compares two values inside of a comparison that is under way. */
export type Compare = (a: unknown, b: unknown) => boolean;

/**
 * True if two values are the same to a reader: same kind, same constructor name, same content. NaN equals itself, 0 equals
 * -0, a property that is undefined is a property, functions are compared by identity.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isReference(a) || !isReference(b)) return Number.isNaN(a) && Number.isNaN(b);
  return new Comparison().compare(a, b);
}

/** Pairs that were met before are taken as equal: either they are, or the difference shows elsewhere. */
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
    // What was taken as equal for the sake of this pair is unknown again: an element of a set is tried more than once.
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

/** Functions are references, too, but are equal to themselves only. */
function isReference(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isSameKind(a: object, b: object): boolean {
  if (types.isDate(a) || types.isDate(b)) return types.isDate(a) && types.isDate(b);
  if (types.isNativeError(a) || types.isNativeError(b))
    return types.isNativeError(a) && types.isNativeError(b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  return constructorName(a) === constructorName(b) && tagOf(a) === tagOf(b);
}

/** `Object` for an object without a prototype, which is as plain as the others. */
export function constructorName(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isReference(prototype)) return 'Object';
  const made: unknown = Reflect.get(prototype, 'constructor');
  return typeof made === 'function' ? made.name : '';
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value);
}
