// Values of user code as text. They may come from any realm and have broken getters: nothing here throws.

import { inspect, types } from 'node:util';
import { ellipsize } from '../../../../text/cut-text.ts';

const MAX_LENGTH = 120;
/** Length of the text that is joined to one line before it is cut. */
const MAX_LINE = 10_000;

/** A value on one short line, for messages: `"text"`, `[ 1, 2 ]`, `Map(1) { 'a' => 1 }`, `TypeError: no such thing`. */
export function show(value: unknown, length = MAX_LENGTH): string {
  if (typeof value === 'string') return ellipsize(JSON.stringify(value.slice(0, length + 1)), length);
  const text = isError(value) ? errorText(value) : inspectLine(value);
  return ellipsize(text.slice(0, MAX_LINE).replaceAll(/\n\s*/g, ' '), length);
}

/** A value on several lines, for a diff: equal values give the same text. */
export function showLines(value: unknown): string {
  return inspectSafely(value, { compact: false, depth: 10, sorted: true, maxArrayLength: 1000 });
}

/** True for an Error of any realm. */
export function isError(value: unknown): value is object {
  return types.isNativeError(value) || (isObjectLike(value) && readTag(value) === '[object Error]');
}

/** `TypeError: no such thing`. */
export function errorText(error: object): string {
  const name = readText(error, 'name') ?? 'Error';
  const message = readText(error, 'message') ?? '';
  return message === '' ? name : `${name}: ${message}`;
}

/** A property, if it is a string and its getter does not throw. */
export function readText(value: object, key: string): string | undefined {
  try {
    const property: unknown = Reflect.get(value, key);
    return typeof property === 'string' ? property : undefined;
  } catch {
    return undefined;
  }
}

function inspectLine(value: unknown): string {
  return inspectSafely(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, maxArrayLength: 50 });
}

function inspectSafely(value: unknown, options: Parameters<typeof inspect>[1]): string {
  const bounded = { maxStringLength: 2000, ...options };
  try {
    return inspect(value, bounded);
  } catch {
    // Its custom inspect function throws.
  }
  try {
    return inspect(value, { ...bounded, customInspect: false });
  } catch {
    return '[unprintable value]';
  }
}

function isObjectLike(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readTag(value: object): string {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    return '';
  }
}
