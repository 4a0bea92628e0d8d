import { isSelection } from '../../judge/assertions/select-best.ts';
import type { Assertion, TestCase } from '../../model/case.ts';

const NONE: readonly Assertion[] = [];

/** The assertions of a case that compare its variants after the run. */
export function listSelections({ assert }: Pick<TestCase, 'assert'>): readonly Assertion[] {
  if (assert === undefined) return NONE;
  if (!Array.isArray(assert)) return isSelection(assert) ? [assert] : NONE;
  return assert.some(isSelection) ? assert.filter(isSelection) : NONE;
}
