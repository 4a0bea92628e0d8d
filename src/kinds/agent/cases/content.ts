// Checks the content of a case: JSON that every reader of the log understands.

import { isWellFormed } from '../../../json/well-formed.ts';
import type { CaseProblem } from './case.ts';
import { quoted } from './quoted.ts';

const MAX_DEPTH = 500;

/** Returns the first thing in a case that could not be written down or sent as it is; a good case costs no memory. */
export function checkContent(fields: Record<string, unknown>): CaseProblem | undefined {
  for (const name in fields) {
    const what = checkValue(fields[name], 1) ?? checkName(name);
    if (what !== undefined) return { message: `${quoted(name)} ${what}` };
  }
  return undefined;
}

function checkValue(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isWellFormed(value) ? undefined : HALF_CHARACTER;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : NOT_FINITE;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) {
    for (const item of value) {
      const what = checkValue(item, depth + 1);
      if (what !== undefined) return what;
    }
    return undefined;
  }
  // An object of JSON has string keys and no others.
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const what = checkValue(fields[name], depth + 1) ?? checkName(name);
    if (what !== undefined) return what;
  }
  return undefined;
}

function checkName(name: string): string | undefined {
  return isWellFormed(name) ? undefined : HALF_CHARACTER;
}

const HALF_CHARACTER = 'holds half a character: a surrogate (\\ud800 to \\udfff) without its other half';
const NOT_FINITE = 'holds a number that is too large (the limit is about 1.8e308): write it as a string';
const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels`;
