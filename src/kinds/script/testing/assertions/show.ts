// Values of user code as text. They may belong to any realm and be hostile: nothing here throws.

import { inspect, types } from 'node:util';

const MAX_LENGTH = 120;
/** How much of a text is made one line before it is cut. */
const MAX_LINE = 10_000;

/** A value on one short line, for messages: `"text"`, `[ 1, 2 ]`, `Map(1) { 'a' => 1 }`, `TypeError: no such thing`. */
export function show(value: unknown, length = MAX_LENGTH): string {
  if (typeof value === 'string') return cutText(JSON.stringify(value.slice(0, length + 1)), length);
  const text = isError(value) ? errorText(value) : inspectLine(value);
  return cutText(text.slice(0, MAX_LINE).replaceAll(/\n\s*/g, ' '), length);
}

/** A value on as many lines as it takes, the same ones for equal values: for comparing. */
export function showLines(value: unknown): string {
  return inspectSafely(value, { compact: false, depth: 10, sorted: true, maxArrayLength: 1000 });
}

/** True for an Error of any realm. */
export function isError(value: unknown): value is object {
  return types.isNativeError(value) || (isObjectLike(value) && tagOf(value) === '[object Error]');
}

/** `TypeError: no such thing`. */
export function errorText(error: object): string {
  const name = readText(error, 'name') ?? 'Error';
  const message = readText(error, 'message') ?? '';
  return message === '' ? name : `${name}: ${message}`;
}

/** A property, if it is a text that can be read. */
export function readText(value: object, key: string): string | undefined {
  try {
    const found: unknown = Reflect.get(value, key);
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

/** The beginning of a text, never half a character, with a mark if something is missing. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = text.charCodeAt(length - 1);
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)}…`;
}

function inspectLine(value: unknown): string {
  return inspectSafely(value, { breakLength: Number.POSITIVE_INFINITY, compact: true, maxArrayLength: 50 });
}

function inspectSafely(value: unknown, options: Parameters<typeof inspect>[1]): string {
  const bounded = { maxStringLength: 2000, ...options };
  try {
    return inspect(value, bounded);
  } catch {
    // Its own way of being shown is broken.
  }
  try {
    return inspect(value, { ...bounded, customInspect: false });
  } catch {
    return '[something that cannot be shown]';
  }
}

function isObjectLike(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function tagOf(value: object): string {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    return '';
  }
}
