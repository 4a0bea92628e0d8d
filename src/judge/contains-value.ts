// Decides whether an answer contains a value, for the assertions of the contains family.

import { deepEqual, isSuperset } from './deep-equal.ts';
import { refuseRounded } from './exact-numbers.ts';
import { answerJson, answerText } from './output.ts';
import { isObject } from '../json/is-object.ts';

/**
 * True if the output contains the value.
 * - A text output contains a text as a substring, and an object or list in the JSON found in the text.
 * - A structured output contains a text as a substring of a value or of the JSON text, so that keys count. It contains
 *   any other value if an equal one is found at any depth, or, for an object, one with at least its entries.
 */
export function containsValue(
  output: unknown,
  value: unknown,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): boolean {
  // In a text, even the digits that a number still has are others.
  refuseRounded(value);
  return ignoreCase && typeof value === 'string'
    ? containsText(output, value.toLowerCase())
    : containsExactly(output, value);
}

function containsExactly(output: unknown, value: unknown): boolean {
  if (typeof output === 'string') {
    if (output.includes(answerText(value))) return true;
    if (typeof value !== 'object' || value === null) return false;
    const json = answerJson(output);
    return json !== undefined && isSomewhere(json.value, (part) => isMatch(part, value));
  }
  if (typeof value !== 'string') return isSomewhere(output, (part) => isMatch(part, value));
  return (
    answerText(output).includes(value) ||
    isSomewhere(output, (part) => typeof part === 'string' && part.includes(value))
  );
}

/** Ignores the case of the answer; `text` is in lower case. */
function containsText(output: unknown, text: string): boolean {
  return (
    answerText(output).toLowerCase().includes(text) ||
    // The JSON text of a structured answer has escapes that its values do not have.
    (typeof output !== 'string' &&
      isSomewhere(output, (part) => typeof part === 'string' && part.toLowerCase().includes(text)))
  );
}

function isMatch(part: unknown, value: unknown): boolean {
  return isObject(value) ? isObject(part) && isSuperset(part, value) : deepEqual(part, value);
}

function isSomewhere(root: unknown, matches: (part: unknown) => boolean): boolean {
  // An explicit stack, because an answer may be nested deeper than the call stack.
  const parts = [root];
  while (parts.length > 0) {
    const part = parts.pop();
    if (matches(part)) return true;
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) parts.push(inner);
  }
  return false;
}
