// Runs several test files and returns their results in the same order, with totals.

import { availableParallelism } from 'node:os';
import { checkRunOptions } from './check-options.ts';
import { runTestFile } from './run-file.ts';
import type { SkillTest, SuiteOptions, SuiteResult, TestResult } from './types.ts';

/** Runs tests one at a time, or `parallel` at once. Rejects for invalid options only. */
export async function runTestSuite(
  tests: Iterable<SkillTest>,
  options: SuiteOptions = {},
): Promise<SuiteResult> {
  checkRunOptions(options);
  const startedAt = performance.now();
  const { parallel = false, ...runOptions } = options;
  const list = isIterable(tests) ? [...tests] : [];
  const results: (SkillTest & TestResult)[] = [];
  const queue = list.entries();
  // All workers take tests from the same queue.
  const work = async (): Promise<void> => {
    for (const [index, test] of queue)
      results[index] = { ...test, ...(await runTestFile(testFilePath(test), runOptions)) };
  };
  await Promise.all(Array.from({ length: limitConcurrency(parallel, list.length) }, work));

  const totalFailed = results.reduce((sum, { failed }) => sum + failed, 0);
  return {
    success: totalFailed === 0 && results.every(({ success }) => success),
    totalTests: results.length,
    totalPassed: results.reduce((sum, { passed }) => sum + passed, 0),
    totalFailed,
    results,
    errors: results.flatMap(({ errors }) => errors),
    duration: Math.round(performance.now() - startedAt),
  };
}

/** Checked because callers may be JavaScript. */
function isIterable(value: unknown): value is Iterable<SkillTest> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Empty for an invalid test, which then fails as a missing file. */
function testFilePath(test: SkillTest | null | undefined): string {
  return test?.testFile ?? '';
}

function limitConcurrency(parallel: boolean | number, tests: number): number {
  const wanted = parallel === true ? availableParallelism() : Math.floor(Number(parallel));
  return Math.min(tests, wanted >= 1 ? wanted : 1);
}
