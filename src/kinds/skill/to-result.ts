// A run that has ended becomes a result: whatever happened, it is a result, and a failure says why.

import { describeProblem, ConfigError, messageOf } from '../../errors.ts';
import { errorText } from './error-text.ts';
import { describeLeaks } from './leaks.ts';
import { howItEnded } from './describe-exit.ts';
import type { Answer, Count, Returned, Thrown } from './messages.ts';
import type { EndedRun } from './run-process.ts';
import { timeoutMs } from './supervise.ts';
import { findSyntaxError } from './syntax-place.ts';
import type { RunOptions, TestResult } from './types.ts';

/**
 * Why a run is no success: checks that failed, or none at all; no result because of an exception, a crash or a file that is
 * no test; the deadline; nothing that could be said of the test.
 */
export type End = 'broken' | 'checks' | 'empty' | 'timeout' | 'unmeasured';

/** What a run says about its checks. */
type Counted = Pick<TestResult, 'passed' | 'failed' | 'errors'> & { empty?: true; end?: End };

/** What is needed to tell a person about it. */
type Telling = { testFile: string; runner: string; cwd: string };

/** Counts and errors of a run, with what it printed. */
export async function toResult(
  run: EndedRun,
  options: RunOptions & Telling & { startedAt: number },
): Promise<{ result: TestResult; end?: End }> {
  const { course, ending, stdout, stderr } = run;
  const { answer, endedFor } = course;
  const isTimedOut = endedFor === 'deadline';
  const counted = await countedOf(run, options);
  const isOwnEnd = endedFor === undefined;
  const success = counted.errors.length === 0;
  const result: TestResult = {
    success,
    passed: counted.passed,
    failed: counted.failed,
    output: stdout.text(),
    errors: counted.errors,
    duration: Math.round(performance.now() - options.startedAt),
    ...(options.verbose === true && { stderr: stderr.text() }),
    ...(counted.empty && { empty: true }),
    ...(endedFor === 'leak' && answer !== undefined && { leaks: describeLeaks(course.open) }),
    ...(isTimedOut && { timedOut: true }),
    ...(isOwnEnd && !success && ending.code !== null && ending.code !== 0 && { exitCode: ending.code }),
    ...(isOwnEnd && ending.signal !== null && { signal: ending.signal }),
  };
  return { result, ...(counted.end !== undefined && { end: counted.end }) };
}

/** What could not even be started. */
export function toFailedResult(error: unknown, startedAt: number): TestResult {
  const errors =
    error instanceof ConfigError
      ? error.problems.map((problem) => describeProblem(ConfigError.of([problem])))
      : [messageOf(error)];
  const duration = Math.round(performance.now() - startedAt);
  return { success: false, passed: 0, failed: 1, output: '', errors, duration };
}

async function countedOf(run: EndedRun, options: RunOptions & Telling): Promise<Counted> {
  const { course, ending } = run;
  const { answer, endedFor } = course;
  if (endedFor === 'abort') return failure(`was stopped: ${messageOf(options.signal?.reason)}`, 'unmeasured');
  if (endedFor === 'deadline')
    return failure(
      `Test timeout exceeded: no result after ${String(timeoutMs(options.timeout))} ms`,
      'timeout',
    );
  if (answer === undefined) return failure(howItEnded(run, options));

  const counted = await countedOfAnswer(answer, options);
  const isBadEnd = endedFor === undefined && (ending.signal !== null || ending.code !== 0);
  if (counted.errors.length > 0 || !isBadEnd) return counted;
  return { ...counted, failed: 1, errors: [howItEnded(run, options)], end: 'broken' };
}

async function countedOfAnswer(answer: Answer, options: RunOptions & Telling): Promise<Counted> {
  switch (answer.type) {
    case 'returned':
      return countedOfReturned(answer.returned, options.allowEmpty === true);
    case 'thrown':
      return failure(
        answer.during === 'test'
          ? errorText(answer.thrown, options)
          : `cannot be imported: ${await importErrorText(answer.thrown, options)}`,
      );
    case 'untestable': {
      const names = answer.exports.length === 0 ? 'nothing' : answer.exports.join(', ');
      return failure(`Test file must export a default function or a runTests function; it exports ${names}`);
    }
  }
}

/** Node keeps the place of a syntax error in an ES module to itself. */
async function importErrorText(thrown: Thrown, telling: Telling): Promise<string> {
  const text = errorText(thrown, telling);
  if (thrown.name !== 'SyntaxError' || /\n {4}at /.test(text)) return text;
  const place = await findSyntaxError(telling.testFile, telling.cwd);
  return place === undefined ? text : errorText(thrown, { ...telling, place });
}

function countedOfReturned(returned: Returned, allowEmpty: boolean): Counted {
  if (returned.kind === 'nothing') return withoutChecks('the test returned nothing', allowEmpty);
  if (returned.kind === 'other')
    return failure(`the test returned ${returned.shown} instead of { passed, failed, errors }`);
  const passed = numberOf(returned.passed);
  const failed = numberOf(returned.failed);
  const { errors } = returned;
  if (failed > 0 || errors.length > 0) {
    const texts = errorsOf(errors, failed);
    return { passed, failed: failed > 0 ? failed : errors.length, errors: texts, end: 'checks' };
  }
  // Who says something about failures that cannot be read has not said that there are none.
  if (typeof returned.failed === 'string') return withoutChecks(strangeCounts(returned) ?? '', false);
  const strange = strangeCounts(returned);
  if (strange !== undefined) return withoutChecks(strange, allowEmpty);
  return passed > 0 ? { passed, failed, errors } : withoutChecks('it counted 0', allowEmpty);
}

/** Every failed check is told of, also those without a message. */
function errorsOf(errors: string[], failed: number): string[] {
  const silent = failed - errors.length;
  if (silent <= 0) return errors;
  const others = errors.length === 0 ? '' : 'other ';
  return [...errors, `${String(silent)} ${others}${silent === 1 ? 'check' : 'checks'} failed`];
}

function strangeCounts(returned: { passed?: Count; failed?: Count }): string | undefined {
  const { passed, failed } = returned;
  if (passed === undefined && failed === undefined) return 'the test returned no counts';
  const texts = Object.entries({ passed, failed }).flatMap(([name, count]) =>
    typeof count === 'string' ? [`${name} is ${count}, not a count`] : [],
  );
  return texts.length === 0 ? undefined : texts.join(', ');
}

function withoutChecks(why: string, allowEmpty: boolean): Counted {
  if (allowEmpty) return { passed: 0, failed: 0, errors: [], empty: true };
  return { passed: 0, failed: 0, errors: [`no checks: ${why}`], empty: true, end: 'empty' };
}

function numberOf(count: Count): number {
  return typeof count === 'number' ? count : 0;
}

function failure(error: string, end: End = 'broken'): Counted {
  return { passed: 0, failed: 1, errors: [error], end };
}
