// A test file in this process: a path comes in, a result goes out, whatever happens.

import { resolve } from 'node:path';
import { prepareEntry, runnerFile } from './entry.ts';
import { runThread } from './run-thread.ts';
import { toFailedResult, toResult } from './to-result.ts';
import type { RunOptions, TestResult } from './types.ts';

/**
 * Runs a test file without a new process, in a thread that imports it and everything it imports afresh. The thread shares
 * the working directory of this process; programs it starts and a crash of native code are beyond its control.
 * Never rejects.
 */
export async function runTestFileInProcess(testFile: string, options: RunOptions = {}): Promise<TestResult> {
  const startedAt = performance.now();
  try {
    const entry = await prepareEntry(testFile, options);
    const runner = runnerFile(options.runner);
    const { timeout, signal } = options;
    const run = await runThread(entry, { runner, timeout, signal });
    const cwd = process.cwd();
    const telling = { testFile: resolve(testFile), runner, cwd, startedAt };
    const { result } = await toResult(run, { ...options, ...telling });
    return result;
  } catch (error) {
    return toFailedResult(error, startedAt);
  }
}
