// Several test files: tests come in, their results go out in the same order, with totals.

import { availableParallelism } from 'node:os';
import { runTestFile } from './run-file.ts';
import type { SkillTest, SuiteOptions, SuiteResult, TestResult } from './types.ts';

/** Runs tests one at a time, or as many at once as `parallel` says. Never rejects. */
export async function runTestSuite(
  tests: Iterable<SkillTest>,
  options: SuiteOptions = {},
): Promise<SuiteResult> {
  const startedAt = performance.now();
  const { parallel = false, ...runOptions } = options;
  const list = isIterable(tests) ? [...tests] : [];
  const results: (SkillTest & TestResult)[] = [];
  const queue = list.entries();
  // All of them take from the same queue.
  const work = async (): Promise<void> => {
    for (const [index, test] of queue)
      results[index] = { ...test, ...(await runTestFile(fileOf(test), runOptions)) };
  };
  await Promise.all(Array.from({ length: concurrencyOf(parallel, list.length) }, work));

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

/** Callers may be JavaScript. */
function isIterable(value: unknown): value is Iterable<SkillTest> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** What is no test fails as a file that is not there. */
function fileOf(test: SkillTest | null | undefined): string {
  return test?.testFile ?? '';
}

function concurrencyOf(parallel: boolean | number, tests: number): number {
  const wanted = parallel === true ? availableParallelism() : Math.floor(Number(parallel));
  return Math.min(tests, wanted >= 1 ? wanted : 1);
}
