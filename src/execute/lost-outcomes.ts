// Outcomes of attempts whose worker process ended before it could report them.

import type { ErrorCode, Outcome } from '../model/outcome.ts';
import { timeoutText } from '../text/duration.ts';
import type { Item, PoolWorker } from './process/worker-process.ts';

/** The attempt hung or crashed its worker. If it waited for a judge, a simulator or a hook, the agent is not to blame. */
export function crashOutcome(
  worker: PoolWorker,
  item: Item,
  how: string,
  who: 'agent' | 'test' = 'agent',
): Outcome {
  const { attempt, partial } = item;
  const late = timeoutText(attempt.timeout_ms);
  const duration_ms = Math.round(performance.now() - worker.lastHeardAt);
  const waiting = who === 'agent' ? worker.waitedFor(item) : undefined;
  if (waiting !== undefined && (worker.isHung || isHelper(waiting.code))) {
    const { code, message } = waiting;
    const end = worker.isHung ? ` (still waiting at the ${late})` : `: its process ${how}`;
    return { ...partial, status: 'error', code, duration_ms, error: `${message}${end}` };
  }
  if (worker.isHung) return { ...partial, status: 'timeout', duration_ms, error: late };
  const words = worker.stderrTail();
  const error = `the ${who}'s process ${how}${words === '' ? '' : `: ${words}`}`;
  return { ...partial, status: 'error', code: 'agent', duration_ms, error };
}

function isHelper(code: ErrorCode): boolean {
  return code === 'judge' || code === 'harness';
}

/** The attempt shared a worker that crashed, and runs again; only its `after` hook sees this outcome. */
export function restartOutcome(how: string): Outcome {
  const error = `the worker process ${how}; the case runs again`;
  return { status: 'error', code: 'harness', duration_ms: 0, error };
}

/** Every worker that held the attempt ended before it began it. */
export function neverBegunOutcome(how: string): Outcome {
  const error = `the worker process ${how} again and again before it came to this case`;
  return { status: 'error', code: 'harness', duration_ms: 0, error };
}

/** Workers do not start at all. */
export function neverStarted(worker: PoolWorker, how: string): Outcome {
  const error = `a worker process ${how} before it was ready: ${worker.stderrTail()}`;
  return { status: 'error', code: 'harness', duration_ms: 0, error };
}

/** The worker closed the file without reporting this test. */
export function unreportedOutcome(): Outcome {
  const error = 'the worker closed the file without a result of this test';
  return { status: 'error', code: 'agent', duration_ms: 0, error };
}
