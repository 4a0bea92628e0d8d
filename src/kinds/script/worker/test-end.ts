// Waits for the end of a test, but not longer than its time limit.

import { clearTimeout, now, setImmediate, setTimeout } from '../../../execute/process/intrinsics.ts';
import { timeoutText } from '../../../text/duration.ts';
import type { TestEnd, TestRun } from '../testing/test-run.ts';
import type { TestScope } from './test-scope.ts';

/** The end of a test, one turn of the event loop later. */
export async function endAfterTurn(
  run: TestRun,
  end: TestEnd | Promise<TestEnd>,
  { scope, limitMs, started }: { scope: TestScope; limitMs: number; started: number },
): Promise<{ ended: TestEnd; elapsedMs: number }> {
  const ended = end instanceof Promise ? await endOrTimeout(run, end, limitMs) : end;
  scope.run = undefined;
  const elapsedMs = now() - started;
  await nextTurn();
  return { ended, elapsedMs };
}

/** The end of a test, which is its timeout after `limitMs`. */
export async function endOrTimeout(
  run: TestRun,
  end: TestEnd | Promise<TestEnd>,
  limitMs: number,
): Promise<TestEnd> {
  if (!(end instanceof Promise)) return end;
  const timer = setTimeout(() => run.expire(timeoutText(limitMs)), limitMs);
  const ended = await end;
  clearTimeout(timer);
  return ended;
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
