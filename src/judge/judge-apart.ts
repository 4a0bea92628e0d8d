// In a process that runs no user code and can be killed: judges by one built-in assertion.

import type { Assertion } from '../model/case.ts';
import type { Judgement, Subject } from './assertion.ts';
import { NO_DEPS } from './judge.ts';
import { findAssertionType } from './registry.ts';

/** The judgement before `negate` is applied; throws if the answer cannot be judged. */
export async function judgeApart(assertion: Assertion, subject: Subject): Promise<Judgement> {
  const type = findAssertionType(assertion.type);
  if (type === undefined) throw new Error(`unknown assertion type "${assertion.type}"`);
  return type.judge(assertion, subject, NO_DEPS);
}
