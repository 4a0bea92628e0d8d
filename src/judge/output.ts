// The two faces of an answer: as text and as JSON.

import { findJson, type FoundJson } from '../json/json-in-text.ts';

/** The answer as text: a string as it is, nothing as the empty text, everything else as compact JSON. */
export function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  return output === undefined ? '' : JSON.stringify(output);
}

let last: { text: string; json: FoundJson | undefined } | undefined;

/**
 * The answer as JSON: a structured answer as it is, in a text the JSON that is found in it, if there is any.
 * The last text is remembered because a case often asks for several paths of the same answer.
 */
export function jsonOf(output: unknown): FoundJson | undefined {
  if (typeof output !== 'string') return { value: output ?? null };
  if (last?.text !== output) last = { text: output, json: findJson(output) };
  return last.json;
}

/** The name JSON has for the type of a value. */
export function typeOf(value: unknown): 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null' {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
