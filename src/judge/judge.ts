// A case and its answer in, verdicts out. Never throws.

import { messageOf } from '../errors.ts';
import type { Assertion, TestCase } from '../model/case.ts';
import type { Verdict } from '../model/outcome.ts';
import { isThenable } from '../platform/thenable.ts';
import type { AssertionType, JudgeDeps, Judgement, Subject } from './assertion.ts';
import { JudgeError } from './assertion.ts';
import { limitValue } from './diff.ts';
import { isSelection } from './assertions/select-best.ts';
import { isLarge } from './is-large.ts';
import { innerAssertions, listLeaves } from './inner-assertions.ts';
import { findAssertionType, findCombinator } from './registry.ts';
import { subjectOf } from './sent-messages.ts';

/** Judges the answer to a case by its assertions. Without assertions that count, any non-empty answer passes. */
export function judgeAnswer(
  testCase: TestCase,
  subject: Subject,
  deps: JudgeDeps,
): Verdict[] | Promise<Verdict[]> {
  const assertions = listAssertions(testCase);
  if (!assertions.every(({ advisory }) => advisory === true)) return judge(subject, assertions, deps);
  const answered: Verdict = isAnswer(subject.output)
    ? { type: 'answered', status: 'passed' }
    : { type: 'answered', status: 'failed', message: 'no answer' };
  if (assertions.length === 0) return [answered];
  const verdicts = judge(subject, assertions, deps);
  return isThenable(verdicts) ? verdicts.then((all) => [answered, ...all]) : [answered, ...verdicts];
}

const NOWHERE = { apart: false, asks: false };

/** Whether other processes judge the answer to a case. They take some time to start. */
export function judgedElsewhere({ assert, expected, transform }: TestCase): {
  apart: boolean;
  asks: boolean;
} {
  if (assert === undefined && transform === undefined) return NOWHERE;
  const leaves = assert === undefined ? [] : listLeaves(assert);
  const places = leaves.map((one) => findAssertionType(one.type)?.place?.(one, expected));
  const all = [...toList(assert), ...leaves];
  const isTransformed = transform !== undefined || all.some((one) => one.transform !== undefined);
  return { apart: places.includes('apart'), asks: isTransformed || places.includes('here') };
}

function toList(assert: TestCase['assert']): Assertion[] {
  if (assert === undefined) return [];
  return Array.isArray(assert) ? assert : [assert];
}

const unavailable = (): Promise<never> => Promise.reject(new Error('this assertion cannot ask anyone'));

/** For assertions that ask no other process. */
export const NO_DEPS: JudgeDeps = {
  signal: new AbortController().signal,
  ask: unavailable,
  embed: unavailable,
  callScript: unavailable,
  evaluate: unavailable,
  runCheck: unavailable,
};

/** The assertions of a case that make verdicts: `assert`, else equality with `expected`, else an empty list. */
export function listAssertions({ assert, expected }: TestCase): Assertion[] {
  const assertions = toList(assert);
  const judged = assertions.some(isSelection) ? assertions.filter((one) => !isSelection(one)) : assertions;
  if (judged.length > 0) return judged;
  return expected === undefined ? [] : [{ type: 'equals', value: expected }];
}

/**
 * Evaluates all assertions and returns their verdicts in order. Returns a promise only if an assertion is asynchronous,
 * so that a million simple assertions cost no ticks.
 */
export function judge(
  subject: Subject,
  assertions: readonly Assertion[],
  deps: JudgeDeps,
): Verdict[] | Promise<Verdict[]> {
  const { transform } = deps;
  if (transform === undefined) return judgeAll(subject, assertions, deps);
  return judgeTransformed(transform, subject, assertions, deps);
}

function judgeAll(
  subject: Subject,
  assertions: readonly Assertion[],
  deps: JudgeDeps,
): Verdict[] | Promise<Verdict[]> {
  const verdicts = assertions.map((assertion) => judgeOne(assertion, subject, deps));
  return areSettled(verdicts) ? verdicts : Promise.all(verdicts.map((verdict) => Promise.resolve(verdict)));
}

/** Judges what the transform of the case makes of the answer. If it fails, nothing can be judged. */
async function judgeTransformed(
  transform: string,
  subject: Subject,
  assertions: readonly Assertion[],
  deps: JudgeDeps,
): Promise<Verdict[]> {
  let transformed: Subject;
  try {
    transformed = await applyTransform(transform, subject, deps);
  } catch (error) {
    return [{ type: 'transform', status: 'error', message: messageOf(error) }];
  }
  return judgeAll(transformed, assertions, deps);
}

async function applyTransform(transform: string, subject: Subject, deps: JudgeDeps): Promise<Subject> {
  const { transformSubject } = await import('./user-code/transform-subject.ts');
  return transformSubject(transform, subject, deps);
}

function judgeOne(assertion: Assertion, whole: Subject, deps: JudgeDeps): Verdict | Promise<Verdict> {
  const { transform } = assertion;
  // The assertions inside of a combinator choose what they look at.
  const isCombining = findCombinator(assertion.type) !== undefined;
  const subject = isCombining ? whole : subjectOf(assertion, whole);
  if (transform === undefined) return judgeSubject(assertion, subject, deps);
  return applyTransform(transform, subject, deps)
    .then((transformed) => judgeSubject(assertion, transformed, deps))
    .catch((error: unknown) => errorVerdict(assertion, error));
}

function judgeSubject(assertion: Assertion, subject: Subject, deps: JudgeDeps): Verdict | Promise<Verdict> {
  try {
    const type = findAssertionType(assertion.type);
    const judgement =
      type === undefined
        ? judgeCombined(assertion, subject, deps)
        : judgeInPlace(type, assertion, subject, deps);
    if (!isThenable(judgement)) return toVerdict(assertion, judgement, subject);
    return judgement
      .then((settled) => toVerdict(assertion, settled, subject))
      .catch((error: unknown) => errorVerdict(assertion, error));
  } catch (error) {
    return errorVerdict(assertion, error);
  }
}

function judgeCombined(
  assertion: Assertion,
  subject: Subject,
  deps: JudgeDeps,
): Judgement | Promise<Judgement> {
  const combinator = findCombinator(assertion.type);
  if (combinator === undefined) throw new Error(`unknown assertion type "${assertion.type}"`);
  // The transform of the case was applied already.
  const verdicts = judgeAll(subject, innerAssertions(assertion), deps);
  return isThenable(verdicts)
    ? verdicts.then((settled) => combinator.combine(settled))
    : combinator.combine(verdicts);
}

function judgeInPlace(
  type: AssertionType,
  assertion: Assertion,
  subject: Subject,
  deps: JudgeDeps,
): Judgement | Promise<Judgement> {
  if (deps.judgeApart === undefined) return type.judge(assertion, subject, deps);
  const place = type.place?.(assertion, subject.expected) ?? (isLarge(subject) ? 'apart' : 'here');
  return place === 'apart' ? deps.judgeApart(assertion, subject) : type.judge(assertion, subject, deps);
}

function toVerdict(assertion: Assertion, judgement: Judgement, { output }: Subject): Verdict {
  const { type, path, negate = false } = assertion;
  const measurements = pickMeasurements(judgement, assertion);
  if (judgement.pass !== negate) {
    const isTurned = negate && measurements.score !== undefined;
    return {
      type,
      status: 'passed',
      // A low score is the good one.
      ...(isTurned && { negate }),
      ...measurements,
      ...pickMarks(assertion),
    };
  }
  const { message, expected, actual, diff } = negate ? negated(assertion, output) : judgement;
  return {
    type,
    status: 'failed',
    message: withUserMessage(assertion, message ?? 'the assertion does not hold'),
    ...(path !== undefined && { path }),
    ...(negate && { negate }),
    ...(expected !== undefined && { expected: limitValue(expected) }),
    ...(actual !== undefined && { actual: limitValue(actual) }),
    ...(diff !== undefined && { diff }),
    ...measurements,
    ...pickMarks(assertion),
  };
}

/**
 * Score, reason, inner verdicts and costs, which a verdict has whether it passed or failed. With a `metric`, a judgement without a
 * score has 1 or 0, before it is negated.
 */
function pickMeasurements(
  judgement: Judgement,
  { metric }: Assertion,
): Pick<Verdict, 'score' | 'reason' | 'verdicts' | 'usage' | 'cost_usd'> {
  const { reason, verdicts, usage, cost_usd: cost } = judgement;
  const score = judgement.score ?? (metric === undefined ? undefined : Number(judgement.pass));
  return {
    ...(score !== undefined && { score }),
    ...(reason !== undefined && { reason }),
    ...(verdicts !== undefined && { verdicts }),
    ...(usage !== undefined && { usage }),
    ...(cost !== undefined && { cost_usd: cost }),
  };
}

const NO_MARKS = {};

/** How the verdict counts, as the author of the assertion wrote it. */
function pickMarks({ advisory, metric, weight }: Assertion): Pick<Verdict, 'advisory' | 'metric' | 'weight'> {
  if (advisory !== true && metric === undefined && weight === undefined) return NO_MARKS;
  return {
    ...(weight !== undefined && { weight }),
    ...(metric !== undefined && { metric }),
    ...(advisory === true && { advisory }),
  };
}

/** The failure of a negated assertion that holds. There is no diff to show. */
function negated({ type, value }: Assertion, output: unknown): Judgement {
  return { pass: false, message: `"${type}" holds, but is negated`, expected: value, actual: output };
}

/** The verdict of an assertion that could not be judged; `negate` does not change it. */
function errorVerdict(assertion: Assertion, error: unknown): Verdict {
  const { type, path, negate } = assertion;
  return {
    type,
    status: 'error',
    message: withUserMessage(assertion, messageOf(error)),
    ...(path !== undefined && { path }),
    ...(negate === true && { negate }),
    ...(error instanceof JudgeError && error.verdicts !== undefined && { verdicts: error.verdicts }),
    ...(error instanceof JudgeError && error.spent),
    ...pickMarks(assertion),
  };
}

function withUserMessage({ message, of }: Assertion, reason: string): string {
  const place = of === undefined ? '' : `in the ${of} to the user: `;
  return `${message === undefined || message === '' ? '' : `${message}: `}${place}${reason}`;
}

function isAnswer(output: unknown): boolean {
  return typeof output === 'string' ? output.trim() !== '' : output !== null && output !== undefined;
}

function areSettled(verdicts: (Verdict | Promise<Verdict>)[]): verdicts is Verdict[] {
  return !verdicts.some(isThenable);
}
