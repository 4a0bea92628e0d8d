// Which assertions use `expected` of the case.

import type { Assertion } from '../model/case.ts';
import { innerAssertions, isCombinator, listLeaves } from './inner-assertions.ts';

/** They compare with `expected` if they have no `value`. */
const COMPARING = new Set(['bleu', 'levenshtein', 'rouge', 'similar']);
/** They never look at `expected`. All others may pass it on to code of the user, or to a judge. */
const IGNORING = new Set([
  'contains',
  'contains_all',
  'contains_any',
  'cost',
  'ends_with',
  'equals',
  'icontains',
  'is_json',
  'json_path',
  'language',
  'latency',
  'length',
  'not_contains',
  'regex',
  'schema',
  'starts_with',
  'tokens',
  'tool_called',
  'tool_result',
  'trajectory',
  'type',
]);

/** The first assertion that compares with `expected` because it has no `value`. Allocates nothing: every case comes here. */
export function findComparing(assert: Assertion | readonly Assertion[]): Assertion | undefined {
  if (!isList(assert)) return isComparing(assert) ? assert : findComparingInside(assert);
  for (const one of assert) {
    const found = isComparing(one) ? one : findComparingInside(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True if an assertion may use `expected`. */
export function usesExpected(assert: Assertion | readonly Assertion[]): boolean {
  return listLeaves(assert).some(
    (one) => !IGNORING.has(one.type) && (!COMPARING.has(one.type) || isComparing(one)),
  );
}

function isComparing({ type, value }: Assertion): boolean {
  return value === undefined && COMPARING.has(type);
}

function findComparingInside(assertion: Assertion): Assertion | undefined {
  return isCombinator(assertion.type) ? findComparing(innerAssertions(assertion)) : undefined;
}

function isList(assert: Assertion | readonly Assertion[]): assert is readonly Assertion[] {
  return Array.isArray(assert);
}
