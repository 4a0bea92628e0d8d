// Rules about several fields of a case.

import { findComparing } from '../../../judge/expected.ts';
import { isObject } from '../../../json/is-object.ts';
import type { Assertion } from '../../../model/case.ts';
import type { Findings } from '../../../schema/shape.ts';

/** Something must count for the score that decides. */
export function checkPassScore(fields: Record<string, unknown>, findings: Findings): void {
  const { assert, expected, turns, checkpoints } = fields;
  const inTurns = Array.isArray(turns) ? turns.filter(isObject).map((turn) => turn['assert']) : [];
  const assertions = [assert, ...inTurns].flat().filter(isObject);
  const isCounted = assertions.some(({ advisory, weight }) => advisory !== true && weight !== 0);
  if (isCounted || checkpoints !== undefined || (assert === undefined && expected !== undefined)) return;
  const hint = 'add an assertion with a "weight" above 0 that is not "advisory"';
  findings.note('"pass_score" has no assertion that counts for it', hint);
}

/** Assertions that compare with `expected` need one. Those of turns and checkpoints need a `value`: `expected` is of the case. */
export function checkComparing(fields: Record<string, unknown>, findings: Findings): void {
  const { assert, expected, turns, checkpoints } = fields;
  if (assert !== undefined && expected === undefined)
    checkValues(assert, 'add a "value" to the assertion, or "expected" to the case', findings);
  for (const parts of [turns, checkpoints]) {
    if (!Array.isArray(parts)) continue;
    for (const part of parts.filter(isObject))
      checkValues(part['assert'], 'add a "value" to the assertion', findings);
  }
}

function checkValues(assert: unknown, hint: string, findings: Findings): void {
  if (Array.isArray(assert) ? !assert.every(isObject) : !isObject(assert)) return;
  // Other flaws of the assertions are reported already.
  const comparing = findComparing(assert as Assertion | Assertion[]);
  if (comparing !== undefined) findings.note(`"${comparing}" has nothing to compare with`, hint);
}
