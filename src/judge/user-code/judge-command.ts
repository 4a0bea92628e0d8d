// A program of the user judges an answer.

import { basename } from 'node:path';
import type { Assertion } from '../../model/case.ts';
import type { JudgeDeps, Judgement, Subject } from '../assertion.ts';
import { readThreshold } from '../fields.ts';
import { readCheck } from './read-check.ts';
import { answerValues, toJudgement } from './user-judgement.ts';

/** The program gets the answer as JSON on stdin, and judges by its exit code or by what it prints. */
export async function judgeCommand(
  assertion: Assertion,
  subject: Subject,
  deps: JudgeDeps,
): Promise<Judgement> {
  // The check before the run has made sure that it is a list of texts.
  const command = assertion.value as string[];
  const [program = ''] = command;
  const { expected } = subject;
  const finished = await deps.runCheck(command, answerValues(subject));
  const judgement = readCheck(program, finished, readThreshold(assertion));
  return toJudgement(judgement, { subject, expected, negative: `${basename(program)} says no` });
}
