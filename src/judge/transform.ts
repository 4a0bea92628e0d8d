// `transform` of a case or an assertion: changes the answer before it is judged, where users' judging code runs.

import type { Shape } from '../schema/shape.ts';
import { parseExpression } from '../scripts/expressions/parse-expression.ts';
import { checkScript } from '../scripts/check-function.ts';

/** `scripts.text.Trim` and `agents.a.text.Trim` name functions; everything else is an expression. */
const REFERENCE = /^(?:scripts|agents)[.:][\w$./-]+$/;

/** The function that a transform names; undefined if it is an expression. */
export function transformFunction(transform: unknown): string | undefined {
  return typeof transform === 'string' && REFERENCE.test(transform) ? transform : undefined;
}

/** An expression whose value takes the place of the answer, or the name of a function. */
export const transformShape: Shape<string> = {
  check(value, findings) {
    if (typeof value !== 'string') return findings.wrong('an expression or the name of a function', value);
    const problem = findProblem(value, findings.root);
    if (problem !== undefined) findings.note(problem);
  },
  schema: () => ({ type: 'string', minLength: 1 }),
};

function findProblem(transform: string, root: string | undefined): string | undefined {
  const reference = transformFunction(transform);
  if (reference !== undefined) return root === undefined ? undefined : checkScript(reference, { root });
  const parsed = parseExpression(transform);
  return 'problem' in parsed ? `invalid JavaScript: ${parsed.problem}` : undefined;
}
