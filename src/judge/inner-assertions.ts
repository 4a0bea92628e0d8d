// The assertions inside of combinators.

import { isObject } from '../json/is-object.ts';
import type { Assertion } from '../model/case.ts';

const COMBINATORS = new Set(['all_of', 'any_of']);

export function isCombinator(type: string): boolean {
  return COMBINATORS.has(type);
}

/** The assertions that a combinator combines. */
export function innerAssertions({ type, value }: Assertion): readonly Assertion[] {
  if (!isCombinator(type) || !Array.isArray(value)) return [];
  // The check before the run allows assertions only; it asks before it has looked at all of them.
  return value.filter(isObject) as Assertion[];
}

/** All assertions that judge by themselves: those of combinators in their place. */
export function listLeaves(assert: Assertion | readonly Assertion[]): readonly Assertion[] {
  const assertions = isList(assert) ? assert : [assert];
  if (!assertions.some(({ type }) => isCombinator(type))) return assertions;
  return assertions.flatMap((one) => (isCombinator(one.type) ? listLeaves(innerAssertions(one)) : one));
}

function isList(assert: Assertion | readonly Assertion[]): assert is readonly Assertion[] {
  return Array.isArray(assert);
}
