// The answer of a case as its `expected`.

import { usesExpected } from '../../judge/expected.ts';
import { answerJson, answerText } from '../../judge/output.ts';
import type { Assertion } from '../../model/case.ts';

/** The answer in the type that was expected: text as text, JSON as JSON. */
export function toExpected(output: unknown, before: unknown): unknown {
  if (typeof before === 'string') return answerText(output);
  const json = answerJson(output);
  return json === undefined ? answerText(output) : json.value;
}

/** True if a case with these assertions, or with none, is judged by its `expected`. */
export function isJudgedByExpected(assert: unknown): boolean {
  // A table has its assertions in other columns. The case was checked before it ran.
  return typeof assert !== 'object' || assert === null || usesExpected(assert as Assertion | Assertion[]);
}
