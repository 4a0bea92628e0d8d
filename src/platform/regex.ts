// Regular expressions of users: Go's syntax (RE2), matched in linear time, so that no pattern can hang a run.

import { createRequire } from 'node:module';
import { memoize } from './memoize.ts';

/** `test` finds the pattern anywhere in the text. */
export type Pattern = { test(text: string): boolean };

const load = createRequire(import.meta.url);

/**
 * Compiles an RE2 pattern; throws RE2's error if it is invalid.
 * @example compilePattern('(?i)hello').test('Say HELLO') // true
 */
export const compilePattern: (source: string) => Pattern = memoize(compile, { size: 500 });

function compile(source: string): Pattern {
  if (isLiteral(source)) return { test: (text) => text.includes(source) };
  // re2js takes 15 to 20 ms to import: it is loaded with the first pattern that needs it, and by require, so that
  // matching stays synchronous. The cast is there because require has no types.
  const { RE2JS } = load('re2js') as typeof import('re2js');
  const compiled = RE2JS.compile(source);
  return { test: (text) => compiled.test(text) };
}

/** A pattern without special characters needs no RE2. */
function isLiteral(source: string): boolean {
  return !/[\\.+*?()|[\]{}^$]/.test(source);
}

/** Returns a function that replaces all matches of an RE2 pattern; `$1` in the replacement is the first group. */
export function compileReplacement(source: string, replacement: string): (text: string) => string {
  const { RE2JS } = load('re2js') as typeof import('re2js');
  const compiled = RE2JS.compile(source);
  return (text) => compiled.matcher(text).replaceAll(replacement);
}
