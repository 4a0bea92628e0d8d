// A test file in a process of its own: a path comes in, a result goes out, whatever happens.

import { dirname, resolve } from 'node:path';
import { prepareEntry, runnerFile } from './entry.ts';
import { runProcess } from './run-process.ts';
import { toFailedResult, toResult } from './to-result.ts';
import type { RunOptions, TestResult } from './types.ts';

/**
 * Runs a test file in a process group of its own, in the folder of the file and with the environment of this process.
 * Never rejects, and nothing it starts outlives it.
 * @example const { success, passed, failed, errors } = await runTestFile('tests/pricing.tests.mjs', { timeout: 5000 });
 */
export async function runTestFile(testFile: string, options: RunOptions = {}): Promise<TestResult> {
  const startedAt = performance.now();
  try {
    const entry = await prepareEntry(testFile, options);
    const file = resolve(testFile);
    const runner = runnerFile(options.runner);
    const { timeout, signal } = options;
    const run = await runProcess(entry, { runner, cwd: dirname(file), timeout, signal });
    const cwd = process.cwd();
    return await toResult(run, { ...options, testFile: file, runner, cwd, startedAt });
  } catch (error) {
    return toFailedResult(error, startedAt);
  }
}
