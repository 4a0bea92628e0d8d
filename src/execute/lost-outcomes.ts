// The outcomes of attempts whose worker process did not live to tell them.

import type { ErrorCode, Outcome } from '../model/outcome.ts';
import { timeoutText } from '../text/duration.ts';
import type { Item, WorkerProcess } from './worker-process.ts';

/** Of the attempt that hung or crashed its worker. What a judge, a simulator or a hook did is not the agent's fault. */
export function endOfCulprit(
  worker: WorkerProcess,
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
  const words = worker.lastWords();
  const error = `the ${who}'s process ${how}${words === '' ? '' : `: ${words}`}`;
  return { ...partial, status: 'error', code: 'agent', duration_ms, error };
}

function isHelper(code: ErrorCode): boolean {
  return code === 'judge' || code === 'harness';
}

/** Of an attempt that shared the worker and runs again; only its `after` hook gets to see it. */
export function endOfNeighbour(how: string): Outcome {
  const error = `the worker process ${how}; the case runs again`;
  return { status: 'error', code: 'harness', duration_ms: 0, error };
}

/** Of an attempt that no worker ever came to. */
export function neverBegun(how: string): Outcome {
  const error = `the worker process ${how} again and again before it came to this case`;
  return { status: 'error', code: 'harness', duration_ms: 0, error };
}

/** Of all attempts when workers do not even start. */
export function neverStarted(worker: WorkerProcess, how: string): Outcome {
  const error = `a worker process ${how} before it was ready: ${worker.lastWords()}`;
  return { status: 'error', code: 'harness', duration_ms: 0, error };
}

/** Of a test that its worker says nothing about. */
export function neverTold(): Outcome {
  const error = 'nobody knows what became of it: code of this file has changed what the worker itself needs';
  return { status: 'error', code: 'agent', duration_ms: 0, error };
}
