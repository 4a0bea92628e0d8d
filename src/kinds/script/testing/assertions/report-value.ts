// Turns any value that a test compared into bounded, plain JSON for a report.

import { constructorName } from './equality.ts';
import { ellipsize } from '../../../../text/cut-text.ts';
import { isError, show } from './show.ts';

const MAX_CHARACTERS = 10_000;
const MAX_DEPTH = 20;
/** Maximum length of a value shown as text. */
const MAX_TEXT = 2000;

type Budget = { characters: number };

/**
 * Keeps JSON values as they are, and turns everything else into readable text.
 * @example reportValue({ at: new Date(0), n: Number.NaN }) // { at: '1970-01-01T00:00:00.000Z', n: 'NaN' }
 */
export function reportValue(value: unknown, characters = MAX_CHARACTERS): unknown {
  return copyValue(value, { characters }, []);
}

function copyValue(value: unknown, budget: Budget, ancestors: object[]): unknown {
  if (typeof value === 'string') return spendText(value, budget);
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) {
    budget.characters -= 8;
    return value;
  }
  if (typeof value !== 'object') return spendText(show(value, MAX_TEXT), budget);
  if (ancestors.includes(value)) return spendText('[Circular]', budget);
  try {
    if (ancestors.length >= MAX_DEPTH) return spendText(show(value), budget);
    if (Array.isArray(value)) return copyList(value, budget, [...ancestors, value]);
    if (isPlain(value)) return copyObject(value, budget, [...ancestors, value]);
  } catch {
    // A proxy that cannot be read is shown as text.
  }
  return spendText(show(value, MAX_TEXT), budget);
}

/** Cuts the text to the rest of the budget. */
function spendText(text: string, budget: Budget): string {
  const kept = ellipsize(text, Math.max(0, budget.characters));
  budget.characters -= kept.length + 2;
  return kept.length >= text.length ? text : `${kept} (${String(text.length)} characters)`;
}

function copyList(list: unknown[], budget: Budget, ancestors: object[]): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < list.length; index++) {
    if (budget.characters <= 0) {
      copy.push(`… ${String(list.length - index)} more`);
      break;
    }
    copy.push(index in list ? copyProperty(list, index, budget, ancestors) : spendText('[empty]', budget));
  }
  return copy;
}

function copyObject(object: object, budget: Budget, ancestors: object[]): Record<string, unknown> {
  const keys = Reflect.ownKeys(object).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(object, key),
  );
  const entries: [string, unknown][] = [];
  for (const [index, key] of keys.entries()) {
    if (budget.characters <= 0) {
      entries.push(['…', `${String(keys.length - index)} more`]);
      break;
    }
    const name = spendText(typeof key === 'symbol' ? `[${key.toString()}]` : key, budget);
    entries.push([name, copyProperty(object, key, budget, ancestors)]);
  }
  return Object.fromEntries(entries);
}

function copyProperty(
  holder: object,
  key: string | symbol | number,
  budget: Budget,
  ancestors: object[],
): unknown {
  let value: unknown;
  try {
    value = Reflect.get(holder, key);
  } catch (error) {
    return spendText(`[throws ${show(error)}]`, budget);
  }
  return copyValue(value, budget, ancestors);
}

/** A plain object of any realm. */
function isPlain(value: object): boolean {
  if (isError(value) || Object.prototype.toString.call(value) !== '[object Object]') return false;
  return constructorName(value) === 'Object' && !hasPrivatePrototype(value);
}

/** `Object.create(prototype)` inherits the constructor's name, but is not plain. */
function hasPrivatePrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === 'object' && prototype !== null && Object.getPrototypeOf(prototype) !== null;
}
