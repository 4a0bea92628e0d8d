// Values of user code as plain text of bounded length. Nothing here throws.

import type { Thrown } from '../messages.ts';
import { boundedText } from '../../../text/bounded-text.ts';

const MAX_TEXT = 10_000;
const MAX_CAUSES = 5;

const { stringify } = JSON;

/** Describes any thrown value. */
export function describeThrown(thrown: unknown): Thrown {
  const message = readText(thrown, 'message');
  if (message === undefined) return { message: `${showValue(thrown)} was thrown, which is not an Error` };
  const name = readText(thrown, 'name');
  const stack = readText(thrown, 'stack');
  const causes = causeMessages(thrown);
  return {
    ...(name !== undefined && name !== 'Error' && { name: cut(name) }),
    message: cut(message),
    ...(stack !== undefined && { stack: cut(stack) }),
    ...(causes.length > 0 && { causes }),
  };
}

/** A value on one line. */
export function showValue(value: unknown): string {
  try {
    if (typeof value === 'bigint') return `${String(value)}n`;
    if (typeof value === 'symbol' || typeof value === 'number') return String(value);
    if (typeof value === 'function') return cut(`function ${value.name}`);
    return cut(stringify(value) ?? 'undefined');
  } catch {
    return `unprintable ${typeof value}`;
  }
}

export function cut(text: string): string {
  return boundedText(text, MAX_TEXT);
}

/** A property of an object, if it is a string. */
export function readText(value: unknown, name: string): string | undefined {
  const text = readField(value, name);
  return typeof text === 'string' ? text : undefined;
}

function causeMessages(thrown: unknown): string[] {
  const causes: string[] = [];
  const seen = new Set<unknown>([thrown]);
  const queue = innerErrors(thrown);
  while (queue.length > 0 && causes.length < MAX_CAUSES) {
    const next = queue.shift();
    if (seen.has(next)) continue;
    seen.add(next);
    causes.push(cut(readText(next, 'message') ?? showValue(next)));
    queue.push(...innerErrors(next));
  }
  return causes;
}

function innerErrors(thrown: unknown): unknown[] {
  const cause = readField(thrown, 'cause');
  const errors = readField(thrown, 'errors');
  const several: unknown[] = Array.isArray(errors) ? errors.slice(0, MAX_CAUSES) : [];
  return cause === undefined ? several : [cause, ...several];
}

function readField(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
