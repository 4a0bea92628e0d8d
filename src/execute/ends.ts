// The outcomes of attempts whose worker process did not live to tell them.

import type { Outcome } from '../model/outcome.ts';
import { formatGoDuration } from '../platform/duration.ts';
import type { Item, WorkerProcess } from './worker-process.ts';

/** Of the attempt that hung or crashed its worker. */
export function endOfCulprit(
  worker: WorkerProcess,
  { attempt }: Item,
  how: string,
  who: 'agent' | 'test' = 'agent',
): Outcome {
  const duration_ms = Math.round(performance.now() - worker.lastHeardAt);
  if (worker.isHung) {
    return {
      status: 'timeout',
      duration_ms,
      error: `timeout after ${formatGoDuration(attempt.timeout_ms)}`,
    };
  }
  const words = worker.lastWords();
  const error = `the ${who}'s process ${how}${words === '' ? '' : `: ${words}`}`;
  return { status: 'error', code: 'agent', duration_ms, error };
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
