// Runs a test file in its own process. Always returns a result, also after a crash.

import { dirname, resolve } from 'node:path';
import { checkRunOptions } from './check-options.ts';
import { prepareEntry, runnerFile } from './entry.ts';
import { runProcess } from './run-process.ts';
import type { End } from './to-result.ts';
import { toFailedResult, toResult } from './to-result.ts';
import type { RunOptions, TestResult } from './types.ts';

/** A result, and the reason if it is not a success. */
export type Ran = { result: TestResult; end?: End };

/**
 * Runs a test file in its own process group, in the folder of the file and with the environment of this process.
 * Rejects for invalid options only. Processes that the test starts end with it.
 * @example const { success, passed, failed, errors } = await runTestFile('tests/pricing.tests.mjs', { timeout: 5000 });
 */
export async function runTestFile(testFile: string, options: RunOptions = {}): Promise<TestResult> {
  checkRunOptions(options);
  const { result } = await runFile(testFile, options);
  return result;
}

/** The same, but tells failed checks from a crash. */
export async function runFile(testFile: string, options: RunOptions): Promise<Ran> {
  const startedAt = performance.now();
  let isReady = false;
  try {
    const entry = await prepareEntry(testFile, options);
    isReady = true;
    const file = resolve(testFile);
    const runner = runnerFile(options.runner);
    const { env, timeout, signal } = options;
    const run = await runProcess(entry, {
      runner,
      cwd: entry.vitest?.root ?? dirname(file),
      env,
      timeout,
      signal,
    });
    const cwd = process.cwd();
    return await toResult(run, { ...options, testFile: file, runner, cwd, startedAt });
  } catch (error) {
    return { result: toFailedResult(error, startedAt), end: isReady ? 'unmeasured' : 'broken' };
  }
}
