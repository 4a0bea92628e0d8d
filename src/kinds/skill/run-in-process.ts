// Runs a test file in a thread of this process. Always returns a result.

import { resolve } from 'node:path';
import { checkRunOptions } from './check-options.ts';
import { prepareEntry, runnerFile } from './entry.ts';
import { runFile } from './run-file.ts';
import { runThread } from './run-thread.ts';
import { toFailedResult, toResult } from './to-result.ts';
import type { RunOptions, TestResult } from './types.ts';

/**
 * Runs a test file in a thread with a fresh module cache; one of node:test or vitest in a process all the same. The thread shares the working directory of this process; it
 * cannot end programs that the test starts, or survive a crash of native code.
 * Rejects for invalid options only.
 */
export async function runTestFileInProcess(testFile: string, options: RunOptions = {}): Promise<TestResult> {
  checkRunOptions(options);
  const startedAt = performance.now();
  try {
    const entry = await prepareEntry(testFile, options);
    const runner = runnerFile(options.runner);
    const { timeout, signal } = options;
    // Frameworks take over their process, so their tests do not share this one.
    if (entry.framework !== 'none') return (await runFile(testFile, options)).result;
    const run = await runThread(entry, { runner, timeout, signal });
    const cwd = process.cwd();
    const context = { testFile: resolve(testFile), runner, cwd, startedAt };
    const { result } = await toResult(run, { ...options, ...context });
    return result;
  } catch (error) {
    return toFailedResult(error, startedAt);
  }
}
