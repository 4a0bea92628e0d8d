// What users' judging code gets of an answer, and the verdict that its judgement becomes.

import type { AnswerValues } from '../../model/answer-values.ts';
import type { Judgement, Subject } from '../assertion.ts';
import type { UserJudgement } from './read-judgement.ts';

/** The values of an answer by the names that users' code knows. */
export function answerValues(subject: Subject): AnswerValues {
  const { output, input, expected, vars = {}, metadata = {}, transcript, duration_ms } = subject;
  const { answer_metadata, cost_usd: cost, messages, tool_calls, usage } = transcript;
  return {
    output,
    input,
    ...(expected !== undefined && { expected }),
    vars,
    metadata,
    ...(tool_calls !== undefined && { tool_calls }),
    ...(messages !== undefined && { messages }),
    ...(answer_metadata !== undefined && { answer_metadata }),
    ...(usage !== undefined && { usage }),
    ...(typeof cost === 'number' && { cost_usd: cost }),
    duration_ms,
  };
}

/** The judgement with what a failure shows; `negative` is its message if the user's code gives none. */
export function toJudgement(
  { message, ...judgement }: UserJudgement,
  { subject, expected, negative }: { subject: Subject; expected: unknown; negative: string },
): Judgement {
  if (judgement.pass) return judgement;
  return { ...judgement, message: message ?? negative, expected, actual: subject.output };
}
