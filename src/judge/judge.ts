// The answer to a case and what it is asked to be come in, verdicts go out; nothing throws.

import { messageOf } from '../errors.ts';
import type { Assertion, TestCase } from '../model/case.ts';
import type { Verdict } from '../model/outcome.ts';
import type { JudgeDeps, Judgement, Subject } from './assertion.ts';
import { CostlyError } from './assertion.ts';
import { limitValue } from './diff.ts';
import { findAssertionType } from './registry.ts';

/** Judges the answer to a case: by its assertions, or, if nothing is asked, by whether there is an answer at all. */
export function judgeAnswer(
  testCase: TestCase,
  subject: Subject,
  deps: JudgeDeps,
): Verdict[] | Promise<Verdict[]> {
  const assertions = assertionsOf(testCase);
  if (assertions.length > 0) return judge(subject, assertions, deps);
  if (isAnswer(subject.output)) return [{ type: 'answered', status: 'passed' }];
  return [{ type: 'answered', status: 'failed', message: 'no answer' }];
}

/** What a case asks for: `assert`, else equality with `expected`, else nothing. */
export function assertionsOf({ assert, expected }: TestCase): Assertion[] {
  if (assert !== undefined) return Array.isArray(assert) ? assert : [assert];
  return expected === undefined ? [] : [{ type: 'equals', value: expected }];
}

/**
 * Evaluates all assertions and gives a verdict on each, in their order. The result is a promise only if an assertion
 * needs time, so that a million simple ones cost no ticks.
 */
export function judge(
  subject: Subject,
  assertions: readonly Assertion[],
  deps: JudgeDeps,
): Verdict[] | Promise<Verdict[]> {
  const verdicts = assertions.map((assertion) => judgeOne(assertion, subject, deps));
  return areSettled(verdicts) ? verdicts : Promise.all(verdicts.map((verdict) => Promise.resolve(verdict)));
}

function judgeOne(assertion: Assertion, subject: Subject, deps: JudgeDeps): Verdict | Promise<Verdict> {
  try {
    const type = findAssertionType(assertion.type);
    if (type === undefined) throw new Error(`unknown assertion type "${assertion.type}"`);
    const judgement = type.judge(assertion, subject, deps);
    if (!(judgement instanceof Promise)) return verdictOn(assertion, judgement, subject);
    return judgement
      .then((settled) => verdictOn(assertion, settled, subject))
      .catch((error: unknown) => errorVerdict(assertion, error));
  } catch (error) {
    return errorVerdict(assertion, error);
  }
}

function verdictOn(assertion: Assertion, judgement: Judgement, { output }: Subject): Verdict {
  const { type, path, negate = false } = assertion;
  if (judgement.pass !== negate) return { type, status: 'passed', ...measureOf(judgement) };
  const { message, expected, actual, diff } = negate ? negated(assertion, output) : judgement;
  return {
    type,
    status: 'failed',
    message: withAuthor(assertion, message ?? 'the assertion does not hold'),
    ...(path !== undefined && { path }),
    ...(negate && { negate }),
    ...(expected !== undefined && { expected: limitValue(expected) }),
    ...(actual !== undefined && { actual: limitValue(actual) }),
    ...(diff !== undefined && { diff }),
    ...measureOf(judgement),
  };
}

/** What was measured and what that took, whichever way it was decided. */
function measureOf({
  score,
  reason,
  usage,
  cost_usd: cost,
}: Judgement): Pick<Verdict, 'score' | 'reason' | 'usage' | 'cost_usd'> {
  return {
    ...(score !== undefined && { score }),
    ...(reason !== undefined && { reason }),
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost_usd: cost }),
  };
}

/** What holds has nothing to show but itself. */
function negated({ type, value }: Assertion, output: unknown): Judgement {
  return { pass: false, message: `"${type}" holds, but is negated`, expected: value, actual: output };
}

/** Whatever `negate` says: what could not be judged is neither right nor wrong. */
function errorVerdict(assertion: Assertion, error: unknown): Verdict {
  const { type, path, negate } = assertion;
  return {
    type,
    status: 'error',
    message: withAuthor(assertion, messageOf(error)),
    ...(path !== undefined && { path }),
    ...(negate === true && { negate }),
    ...(error instanceof CostlyError && error.spent),
  };
}

function withAuthor({ message }: Assertion, reason: string): string {
  return message === undefined || message === '' ? reason : `${message}: ${reason}`;
}

function isAnswer(output: unknown): boolean {
  return typeof output === 'string' ? output.trim() !== '' : output !== null && output !== undefined;
}

function areSettled(verdicts: (Verdict | Promise<Verdict>)[]): verdicts is Verdict[] {
  return !verdicts.some((verdict) => verdict instanceof Promise);
}
