// Is one value somewhere in another? The common ground of contains and not_contains.

import { deepEqual, isSuperset } from './deep-equal.ts';
import { jsonOf, textOf } from './output.ts';
import { isObject } from '../json/is-object.ts';

/**
 * True if the output contains the value. In a text: as a part of it, or, for a value that is no text, as a part of the
 * JSON found in it. In a structured output: a text is a part of a value or of the JSON text, so that names of keys
 * count; anything else is equal to a value at any depth, or is an object of which one there has all the entries.
 */
export function containsValue(output: unknown, value: unknown): boolean {
  if (typeof output === 'string') {
    if (output.includes(textOf(value))) return true;
    if (typeof value !== 'object' || value === null) return false;
    const json = jsonOf(output);
    return json !== undefined && isSomewhere(json.value, (part) => isMatch(part, value));
  }
  if (typeof value !== 'string') return isSomewhere(output, (part) => isMatch(part, value));
  return (
    textOf(output).includes(value) ||
    isSomewhere(output, (part) => typeof part === 'string' && part.includes(value))
  );
}

function isMatch(part: unknown, value: unknown): boolean {
  return isObject(value) ? isObject(part) && isSuperset(part, value) : deepEqual(part, value);
}

function isSomewhere(root: unknown, matches: (part: unknown) => boolean): boolean {
  // A stack of its own, because an answer may be nested deeper than calls can be.
  const parts = [root];
  while (parts.length > 0) {
    const part = parts.pop();
    if (matches(part)) return true;
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner);
  }
  return false;
}
