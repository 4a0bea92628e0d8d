// What a test compared, as plain JSON that a report can hold: bounded, and whatever user code put there.

import { constructorName } from './equality.ts';
import { cutText, isError, show } from './show.ts';

const MAX_CHARACTERS = 10_000;
const MAX_DEPTH = 20;
/** Of a value that is shown as text. */
const MAX_TEXT = 2000;

type Budget = { characters: number };

/**
 * JSON values as they are, everything else as readable text.
 * @example reportValue({ at: new Date(0), n: Number.NaN }) // { at: '1970-01-01T00:00:00.000Z', n: 'NaN' }
 */
export function reportValue(value: unknown, characters = MAX_CHARACTERS): unknown {
  return copyOf(value, { characters }, []);
}

function copyOf(value: unknown, budget: Budget, around: object[]): unknown {
  if (typeof value === 'string') return textOf(value, budget);
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) {
    budget.characters -= 8;
    return value;
  }
  if (typeof value !== 'object') return textOf(show(value, MAX_TEXT), budget);
  if (around.includes(value)) return textOf('[Circular]', budget);
  try {
    if (around.length >= MAX_DEPTH) return textOf(show(value), budget);
    if (Array.isArray(value)) return copyList(value, budget, [...around, value]);
    if (isPlain(value)) return copyObject(value, budget, [...around, value]);
  } catch {
    // A proxy that does not let itself be read is described from outside.
  }
  return textOf(show(value, MAX_TEXT), budget);
}

function textOf(text: string, budget: Budget): string {
  const kept = cutText(text, Math.max(0, budget.characters));
  budget.characters -= kept.length + 2;
  return kept.length >= text.length ? text : `${kept} (${String(text.length)} characters)`;
}

function copyList(list: unknown[], budget: Budget, around: object[]): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    if (budget.characters <= 0) {
      copy.push(`… ${String(list.length - index)} more`);
      break;
    }
    const isThere = index in list;
    copy.push(isThere ? readInto(list, index, budget, around) : textOf('[empty]', budget));
  }
  return copy;
}

function copyObject(object: object, budget: Budget, around: object[]): Record<string, unknown> {
  const keys = Reflect.ownKeys(object).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(object, key),
  );
  const entries: [string, unknown][] = [];
  for (const [index, key] of keys.entries()) {
    if (budget.characters <= 0) {
      entries.push(['…', `${String(keys.length - index)} more`]);
      break;
    }
    const name = textOf(typeof key === 'symbol' ? `[${key.toString()}]` : key, budget);
    entries.push([name, readInto(object, key, budget, around)]);
  }
  return Object.fromEntries(entries);
}

function readInto(holder: object, key: string | symbol | number, budget: Budget, around: object[]): unknown {
  let value: unknown;
  try {
    value = Reflect.get(holder, key);
  } catch (error) {
    return textOf(`[throws ${show(error)}]`, budget);
  }
  return copyOf(value, budget, around);
}

/** A plain object of any realm. */
function isPlain(value: object): boolean {
  if (isError(value) || Object.prototype.toString.call(value) !== '[object Object]') return false;
  return constructorName(value) === 'Object' && !hasPrivatePrototype(value);
}

/** `Object.create(somethingElse)` inherits its constructor's name, but is not plain. */
function hasPrivatePrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === 'object' && prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
