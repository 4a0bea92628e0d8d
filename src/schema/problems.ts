// Flaws in, problems in words out.

import type { Problem } from '../errors.ts';
import { quote } from '../text/quote.ts';
import type { Flaw, Shape } from './shape.ts';
import { findFlaws, pathText } from './shape.ts';

type Wording = {
  /** `"runs" must be a number`, or `runs: expected a number`, or that with the value. Files with secrets show no values. */
  wrong: 'must be' | 'expected' | 'expected, got';
  /** Names the value as a whole in messages: 'the context'. */
  whole?: string;
};

/** Everything that is wrong with a value, in words. `at` finds the place of a path in the file. */
export function findProblems(
  shape: Shape,
  value: unknown,
  wording: Wording & { at?: (path: string[]) => string; root?: string | undefined },
): Problem[] {
  return describeFlaws(findFlaws(shape, value, wording.root), wording);
}

/** Flaws in words. */
export function describeFlaws(
  flaws: readonly Flaw[],
  { at, ...wording }: Wording & { at?: (path: string[]) => string },
): Problem[] {
  return flaws.map((flaw) => ({
    message: describeFlaw(flaw, wording),
    at: at?.(flaw.path.map(String)),
    hint: flaw.hint,
  }));
}

/** One flaw in words, without its place and hint. */
function describeFlaw(flaw: Flaw, { wrong, whole = 'the file' }: Wording): string {
  const path = pathText(flaw.path);
  const prefix = path === '' ? '' : `${path}: `;
  const name = path === '' ? whole : quote(path);
  // Files of others have keys where ours have fields.
  if (wrong === 'expected') return `${prefix}${describeShort(flaw)}`;
  switch (flaw.type) {
    case 'missing':
      return `${name} is missing`;
    case 'unknown':
      return `unknown field ${name}`;
    case 'rule':
      return `${name} ${flaw.message}`;
    case 'note':
      return `${prefix}${flaw.message}`;
    case 'wrong':
      if (wrong === 'must be') return `${name} must be ${flaw.expected}`;
      return `${prefix}expected ${flaw.expected}, got ${quote(flaw.value)}`;
  }
}

function describeShort(flaw: Flaw): string {
  switch (flaw.type) {
    case 'missing':
      return 'is missing';
    case 'unknown':
      return 'unknown key';
    case 'wrong':
      return `expected ${flaw.expected}`;
    case 'note':
    case 'rule':
      return flaw.message;
  }
}
