// An answer as text and as JSON.

import { findJson, type FoundJson } from '../json/json-in-text.ts';

/** The answer as text: a string as it is, undefined as an empty text, everything else as compact JSON. */
export function answerText(output: unknown): string {
  if (typeof output === 'string') return output;
  return output === undefined ? '' : JSON.stringify(output);
}

let last: { text: string; json: FoundJson | undefined } | undefined;

/**
 * The answer as JSON: a structured answer as it is, or the JSON found in a text.
 * Remembers the last text, because a case often checks several paths of the same answer.
 */
export function answerJson(output: unknown): FoundJson | undefined {
  if (typeof output !== 'string') return { value: output ?? null };
  if (last?.text !== output) last = { text: output, json: findJson(output) };
  return last.json;
}

/** The JSON type of a value. */
export function jsonType(value: unknown): 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null' {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
