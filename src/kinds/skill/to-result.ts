// Turns an ended run into a result; a failure says why.

import { describeProblem, ConfigError, messageOf } from '../../errors.ts';
import { errorText } from './error-text.ts';
import { describeLeaks } from './leaks.ts';
import { describeExit } from './describe-exit.ts';
import type { Answer, Count, Returned, Thrown } from './messages.ts';
import type { EndedRun } from './run-process.ts';
import { timeoutMs } from './supervise.ts';
import { findSyntaxError } from './find-syntax-error.ts';
import type { RunOptions, TestResult } from './types.ts';

/**
 * Why a run did not succeed. `checks`: some failed; `empty`: there were none; `broken`: an exception, a crash or a file
 * without a test; `timeout`; `unmeasured`: stopped or not started, which says nothing about the test.
 */
export type End = 'broken' | 'checks' | 'empty' | 'timeout' | 'unmeasured';

/** The checks of a run. */
type Counted = Pick<TestResult, 'passed' | 'failed' | 'skipped' | 'errors'> & { empty?: true; end?: End };

/** Paths that error messages need. */
type ErrorContext = { testFile: string; runner: string; cwd: string };

/** The counts, errors and output of a run. */
export async function toResult(
  run: EndedRun,
  options: RunOptions & ErrorContext & { startedAt: number },
): Promise<{ result: TestResult; end?: End }> {
  const { state, ending, stdout, stderr } = run;
  const { answer, endedFor } = state;
  const isTimedOut = endedFor === 'deadline';
  const counted = await countChecks(run, options);
  const isOwnEnd = endedFor === undefined;
  const success = counted.errors.length === 0;
  // Frameworks exit with 1 if a test failed.
  const isUsual = answer?.type === 'tested' && counted.end === 'checks';
  const result: TestResult = {
    success,
    passed: counted.passed,
    failed: counted.failed,
    ...(counted.skipped !== undefined && { skipped: counted.skipped }),
    output: stdout.text(),
    errors: counted.errors,
    duration: Math.round(performance.now() - options.startedAt),
    ...(options.verbose === true && { stderr: stderr.text() }),
    ...(counted.empty && { empty: true }),
    ...(endedFor === 'leak' && answer !== undefined && { leaks: describeLeaks(state.open) }),
    ...(isTimedOut && { timedOut: true }),
    ...(isOwnEnd &&
      !success &&
      !isUsual &&
      ending.code !== null &&
      ending.code !== 0 && { exitCode: ending.code }),
    ...(isOwnEnd && ending.signal !== null && { signal: ending.signal }),
  };
  return { result, ...(counted.end !== undefined && { end: counted.end }) };
}

/** The result of a test file that could not be started. */
export function toFailedResult(error: unknown, startedAt: number): TestResult {
  const errors =
    error instanceof ConfigError
      ? error.problems.map((problem) => describeProblem(ConfigError.of([problem])))
      : [messageOf(error)];
  const duration = Math.round(performance.now() - startedAt);
  return { success: false, passed: 0, failed: 1, output: '', errors, duration };
}

async function countChecks(run: EndedRun, options: RunOptions & ErrorContext): Promise<Counted> {
  const { state, ending } = run;
  const { answer, endedFor } = state;
  if (endedFor === 'abort') return failure(`was stopped: ${messageOf(options.signal?.reason)}`, 'unmeasured');
  if (endedFor === 'deadline')
    return failure(
      `Test timeout exceeded: no result after ${String(timeoutMs(options.timeout))} ms`,
      'timeout',
    );
  if (answer === undefined) return failure(describeExit(run, options));

  const counted = await countAnswer(answer, options);
  const isBadEnd = endedFor === undefined && (ending.signal !== null || ending.code !== 0);
  if (counted.errors.length > 0 || !isBadEnd) return counted;
  return { ...counted, failed: 1, errors: [describeExit(run, options)], end: 'broken' };
}

async function countAnswer(answer: Answer, options: RunOptions & ErrorContext): Promise<Counted> {
  switch (answer.type) {
    case 'returned':
      return countReturned(answer.returned, options.allowEmpty === true);
    case 'tested':
      return countTests(answer, options);
    case 'thrown':
      return failure(
        answer.during === 'test'
          ? errorText(answer.thrown, options)
          : `cannot be imported: ${await importErrorText(answer.thrown, options)}`,
      );
    case 'untestable': {
      const names = answer.exports.length === 0 ? 'nothing' : answer.exports.join(', ');
      const others = /\.test\.\w+$/.test(options.testFile) ? ', or import node:test or vitest' : '';
      return failure(
        `Test file must export a default function or a runTests function${others}; it exports ${names}`,
      );
    }
  }
}

/** The tests of a framework; each that failed is an error with its name. */
function countTests(
  { passed, failed, skipped, failures }: Extract<Answer, { type: 'tested' }>,
  options: RunOptions & ErrorContext,
): Counted {
  const counts = { passed, failed, ...(skipped > 0 && { skipped }) };
  const errors = failures.map(({ test, thrown }) => `${test}: ${errorText(thrown, options)}`);
  if (failed > 0) return { ...counts, errors: completeErrors(errors, failed), end: 'checks' };
  if (passed > 0) return { ...counts, errors: [] };
  const why = skipped === 0 ? 'the file has no tests' : `all ${String(skipped)} tests are skipped`;
  return {
    ...withoutChecks(skipped === 1 ? 'the only test is skipped' : why, options.allowEmpty === true),
    ...counts,
  };
}

/** Adds the location of a syntax error, which Node's exception lacks for ES modules. */
async function importErrorText(thrown: Thrown, context: ErrorContext): Promise<string> {
  const text = errorText(thrown, context);
  if (thrown.name !== 'SyntaxError' || /\n {4}at /.test(text)) return text;
  const location = await findSyntaxError(context.testFile, context.cwd);
  return location === undefined ? text : errorText(thrown, { ...context, location });
}

function countReturned(returned: Returned, allowEmpty: boolean): Counted {
  if (returned.kind === 'nothing') return withoutChecks('the test returned nothing', allowEmpty);
  if (returned.kind === 'other')
    return failure(`the test returned ${returned.shown} instead of { passed, failed, errors }`);
  const passed = toNumber(returned.passed);
  const failed = toNumber(returned.failed);
  const { errors } = returned;
  if (failed > 0 || errors.length > 0) {
    const texts = completeErrors(errors, failed);
    return { passed, failed: failed > 0 ? failed : errors.length, errors: texts, end: 'checks' };
  }
  const invalid = describeInvalidCounts(returned);
  // An unreadable count of failures is a failure even with `allowEmpty`.
  if (typeof returned.failed === 'string') return withoutChecks(invalid ?? '', false);
  if (invalid !== undefined) return withoutChecks(invalid, allowEmpty);
  return passed > 0 ? { passed, failed, errors } : withoutChecks('it counted 0', allowEmpty);
}

/** Adds a line for failed checks without a message. */
function completeErrors(errors: string[], failed: number): string[] {
  const silent = failed - errors.length;
  if (silent <= 0) return errors;
  const others = errors.length === 0 ? '' : 'other ';
  return [...errors, `${String(silent)} ${others}${silent === 1 ? 'check' : 'checks'} failed`];
}

function describeInvalidCounts(returned: { passed?: Count; failed?: Count }): string | undefined {
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

function toNumber(count: Count): number {
  return typeof count === 'number' ? count : 0;
}

function failure(error: string, end: End = 'broken'): Counted {
  return { passed: 0, failed: 1, errors: [error], end };
}
