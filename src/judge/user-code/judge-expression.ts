// An expression of the user judges an answer.

import type { Assertion } from '../../model/case.ts';
import { ellipsize } from '../../text/cut-text.ts';
import type { JudgeDeps, Judgement, Subject } from '../assertion.ts';
import { readThreshold } from '../fields.ts';
import { readJudgement } from './read-judgement.ts';
import { answerValues, toJudgement } from './user-judgement.ts';

const MAX_CODE = 100;

/** An expression that uses `json` fails if the answer holds none. */
export async function judgeExpression(
  assertion: Assertion,
  subject: Subject,
  deps: JudgeDeps,
): Promise<Judgement> {
  const code = String(assertion.value);
  const { expected } = subject;
  const evaluated = await deps.evaluate(code, answerValues(subject), 'the expression');
  if ('no_json' in evaluated)
    return { pass: false, message: 'no JSON found in the answer', expected, actual: subject.output };
  const judgement = readJudgement(evaluated.value, {
    subject: 'the expression gave',
    threshold: readThreshold(assertion),
  });
  const negative = `the expression does not hold: ${ellipsize(code.trim().replaceAll(/\s+/g, ' '), MAX_CODE)}`;
  return toJudgement(judgement, { subject, expected, negative });
}
