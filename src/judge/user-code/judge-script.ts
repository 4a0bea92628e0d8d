// A function of the user judges an answer.

import type { Assertion } from '../../model/case.ts';
import type { JudgeDeps, Judgement, Subject } from '../assertion.ts';
import { readThreshold } from '../fields.ts';
import { readJudgement } from './read-judgement.ts';
import { toJudgement } from './user-judgement.ts';

/** Calls the function with (output, input, value or expected). */
export async function judgeScript(
  assertion: Assertion,
  subject: Subject,
  deps: JudgeDeps,
): Promise<Judgement> {
  const { script: reference = '', value } = assertion;
  const expected = value === undefined ? subject.expected : value;
  const result = await deps.callScript(reference, [subject.output, subject.input, expected]);
  const judgement = readJudgement(result, {
    subject: `${reference} returned`,
    threshold: readThreshold(assertion),
  });
  return toJudgement(judgement, { subject, expected, negative: `${reference} says no` });
}
