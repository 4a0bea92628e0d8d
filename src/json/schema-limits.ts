// Limits for JSON Schemas: compiling one takes more than linear time, in a process that must stay responsive.

import { isObject } from './is-object.ts';

const MAX_PARTS = 10_000;
const MAX_PATTERNS = 1000;
const MAX_DEPTH = 500;

/** Throws an Error if a schema is too large to compile in a moment. Iterates, because it may be nested deeply. */
export function refuseLargeSchema(schema: unknown): void {
  let parts = 0;
  let patterns = 0;
  const open: { value: unknown; depth: number }[] = [{ value: schema, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value)) {
      parts += 1;
      const { patternProperties } = value;
      if (isObject(patternProperties)) patterns += Object.keys(patternProperties).length;
    }
    if (parts > MAX_PARTS) throw tooLarge('objects', MAX_PARTS);
    if (patterns > MAX_PATTERNS) throw tooLarge('"patternProperties"', MAX_PATTERNS);
    if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${String(MAX_DEPTH)} levels`);
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
}

function tooLarge(what: string, most: number): Error {
  return new Error(`it has more than ${most.toLocaleString('en-US')} ${what}`);
}

/** Gives the overflow of endless references a message that says so. */
export function explainOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error('its references ("$ref") lead back to themselves, or the value is nested too deeply', {
      cause: error,
    });
  }
}
