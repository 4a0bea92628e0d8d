// Contains, Len, Match and their negations: the content of a string or collection.

import { types } from 'node:util';
import { messageOf } from '../../../../errors.ts';
import { compilePattern } from '../../../../platform/regex.ts';
import type { AssertionCheck, Failure } from './assertion.ts';
import { misuse } from './assertion.ts';
import { isEqual } from './equality.ts';
import { show } from './show.ts';

export const contains: AssertionCheck = {
  parameters: ['value', 'part'],
  check(value, part) {
    const isPart = holds(value, part);
    if (typeof isPart !== 'boolean') return isPart;
    if (isPart) return undefined;
    return { message: `expected ${show(value)} to contain ${show(part)}`, expected: part, actual: value };
  },
};

export const notContains: AssertionCheck = {
  parameters: ['value', 'part'],
  check(value, part) {
    const isPart = holds(value, part);
    if (typeof isPart !== 'boolean') return isPart;
    if (!isPart) return undefined;
    const message = `expected ${show(value)} not to contain ${show(part)}`;
    return { message, expected: `not containing ${show(part)}`, actual: value };
  },
};

export const len: AssertionCheck = {
  parameters: ['value', 'length'],
  check(value, expected) {
    const length = measureLength(value);
    if (length === undefined) return misuse(`${show(value)} has no length`);
    if (!Number.isInteger(expected)) return misuse(`${show(expected)} is not a length`);
    if (length === expected) return undefined;
    const message = `expected ${show(value)} to have length ${show(expected)}, it has ${String(length)}`;
    return { message, expected, actual: length };
  },
};

export const match: AssertionCheck = {
  parameters: ['value', 'pattern'],
  check(value, pattern) {
    const isMatch = matches(value, pattern);
    if (typeof isMatch !== 'boolean') return isMatch;
    if (isMatch) return undefined;
    return {
      message: `expected ${show(value)} to match ${patternText(pattern)}`,
      expected: patternText(pattern),
      actual: value,
    };
  },
};

export const notMatch: AssertionCheck = {
  parameters: ['value', 'pattern'],
  check(value, pattern) {
    const isMatch = matches(value, pattern);
    if (typeof isMatch !== 'boolean') return isMatch;
    if (!isMatch) return undefined;
    return {
      message: `expected ${show(value)} not to match ${patternText(pattern)}`,
      expected: `not matching ${patternText(pattern)}`,
      actual: value,
    };
  },
};

function holds(value: unknown, part: unknown): boolean | Failure {
  if (typeof value === 'string') {
    if (typeof part === 'string') return value.includes(part);
    return misuse(`a string can contain only strings, not ${show(part)}`);
  }
  const elements = listElements(value);
  if (elements === undefined) return misuse(`${show(value)} is neither a string nor a list, set or map`);
  for (const element of elements) if (isEqual(element, part)) return true;
  return false;
}

/** The elements of a collection; of a map, its keys. */
function listElements(value: unknown): Iterable<unknown> | undefined {
  // Not the iterator of the value: tests may patch it.
  if (Array.isArray(value) || types.isTypedArray(value)) return Array.prototype.values.call(value);
  if (types.isSet(value)) return Set.prototype.values.call(value);
  return types.isMap(value) ? Map.prototype.keys.call(value) : undefined;
}

/** The length of a string is its number of code points. */
function measureLength(value: unknown): number | undefined {
  if (typeof value === 'string') return codePoints(value);
  if (Array.isArray(value) || types.isTypedArray(value)) return value.length;
  const elements = listElements(value);
  return elements === undefined ? undefined : [...elements].length;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

function matches(value: unknown, pattern: unknown): boolean | Failure {
  if (typeof value !== 'string') return misuse(`only a string can match a pattern, not ${show(value)}`);
  // Use a copy, because a global pattern keeps its lastIndex between calls.
  if (types.isRegExp(pattern)) return new RegExp(pattern).test(value);
  if (typeof pattern !== 'string') return misuse(`${show(pattern)} is not a pattern`);
  try {
    return compileText(pattern).test(value);
  } catch (problem) {
    return misuse(messageOf(problem));
  }
}

/** Compiles JavaScript syntax; if that is invalid, Go syntax such as `(?i)`. */
function compileText(source: string): { test(text: string): boolean } {
  try {
    return new RegExp(source);
  } catch (problem) {
    try {
      return compilePattern(source);
    } catch {
      throw problem;
    }
  }
}

function patternText(pattern: unknown): string {
  return types.isRegExp(pattern) ? `/${pattern.source}/${pattern.flags}` : show(pattern);
}
