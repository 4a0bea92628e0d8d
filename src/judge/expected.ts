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

/**
 * The type, or the preset, of the first assertion that compares with `expected` because it has no `value`. Allocates nothing: every
 * case comes here.
 */
export function findComparing(assert: Assertion | readonly Assertion[]): string | undefined {
  if (!isList(assert)) return comparingName(assert) ?? findComparingInside(assert);
  for (const one of assert) {
    const found = comparingName(one) ?? findComparingInside(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True if an assertion may use `expected`. */
export function usesExpected(assert: Assertion | readonly Assertion[]): boolean {
  return listLeaves(assert).some(
    (one) => !IGNORING.has(one.type) && (!COMPARING.has(one.type) || comparingName(one) !== undefined),
  );
}

function comparingName({ type, value, preset }: Assertion): string | undefined {
  if (value !== undefined) return undefined;
  if (type === 'agent') return preset === 'factual' ? preset : undefined;
  return COMPARING.has(type) ? type : undefined;
}

function findComparingInside(assertion: Assertion): string | undefined {
  return isCombinator(assertion.type) ? findComparing(innerAssertions(assertion)) : undefined;
}

function isList(assert: Assertion | readonly Assertion[]): assert is readonly Assertion[] {
  return Array.isArray(assert);
}
