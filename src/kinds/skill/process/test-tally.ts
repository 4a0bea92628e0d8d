// Counts the tests of a framework, and keeps what failed within limits.

import type { Answer, TestFailure, Thrown } from '../messages.ts';
import { cut } from './describe-thrown.ts';

const MAX_FAILURES = 1000;
/** Limit for the texts of all failures together. */
const MAX_CHARACTERS = 1_000_000;
/** Limit for the list of tests in the output. */
const MAX_LINES = 10_000;

export type TestTally = ReturnType<typeof createTally>;

export function createTally() {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  let characters = 0;
  const failures: TestFailure[] = [];
  const lines: string[] = [];
  const list = (symbol: string, test: string): void => {
    if (lines.length < MAX_LINES) lines.push(`${symbol} ${cut(test)}`);
  };
  return {
    pass(test: string): void {
      passed += 1;
      list('✓', test);
    },
    /** Also for tests that are to be written. */
    skip(test: string): void {
      skipped += 1;
      list('-', test);
    },
    fail(test: string, thrown: Thrown): void {
      failed += 1;
      list('✗', test);
      characters += test.length + thrown.message.length + (thrown.stack?.length ?? 0);
      if (failures.length < MAX_FAILURES && characters <= MAX_CHARACTERS)
        failures.push({ test: cut(test), thrown });
    },
    /** One line for every test. */
    listing: (): string => lines.map((line) => `${line}\n`).join(''),
    answer: (): Answer => ({ type: 'tested', passed, failed, skipped, failures }),
  };
}
