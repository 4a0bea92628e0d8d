// In the coordinator: when attempts start, how long they take, and whether their worker hangs, by the clock of this process. The
// agent's code could change the clock of the worker.

import type { Item, PoolWorker } from '../../execute/process/worker-process.ts';
import { timeoutText } from '../../text/duration.ts';
import type { Measured } from './assess/assess.ts';
import type { CheckedAnswer } from './assess/check-answer.ts';

/** Silence beyond the deadline before a worker counts as hung. */
const SILENCE_MS = 250;
/** A worker settles an attempt at its deadline itself; this is the time it has for that. */
export const LATE_MS = 2000;
/** A worker that is not ready yet may be silent for this long. */
const START_MS = 60_000;
/** A worker takes in what it is sent at least at this speed. */
const BYTES_PER_MS = 2000;
/** The duration that a worker reports counts if it differs from the measured one by no more than this. */
const TOLERANCE_MS = 100;
const TOLERANCE = 0.1;

/** Notes the start of attempts that have a place in the worker now: it begins them in order. */
export function markStarted(worker: PoolWorker, time: number): void {
  let places = worker.concurrency;
  for (const item of worker.held.values()) {
    if (places === 0) return;
    places -= 1;
    item.startedAt ??= time;
  }
}

/** A worker that becomes ready begins only then. */
export function restartClocks(worker: PoolWorker, time: number): void {
  for (const item of worker.held.values()) if (item.startedAt !== undefined) item.startedAt = time;
}

/**
 * The durations of a call that has ended. The worker's own measurement is finer, because it does not see the transfer of batches,
 * but it counts only if this process agrees.
 */
export function measure(item: Item, time: number, answer: CheckedAnswer): Measured {
  const { took_ms: claimedMs } = answer;
  const status = 'failure' in answer ? answer.failure.status : undefined;
  const { askedAt, sentAt, startedAt } = item;
  // Of an attempt that came and went in one batch, only the batch was measured.
  if (startedAt === undefined) {
    const ms = Math.min(claimedMs, time - (sentAt ?? time));
    return { answerMs: ms, attemptMs: ms };
  }
  const attemptMs = time - startedAt;
  if (status === undefined) return { answerMs: agreed(claimedMs, time - (askedAt ?? startedAt)), attemptMs };
  // After its deadline an attempt may still cancel what it began elsewhere.
  const failedMs =
    status === 'timeout'
      ? Math.min(attemptMs, Math.max(claimedMs, item.attempt.timeout_ms))
      : agreed(claimedMs, attemptMs);
  return { answerMs: failedMs, attemptMs: failedMs };
}

function agreed(claimedMs: number, measuredMs: number): number {
  const isClose = Math.abs(measuredMs - claimedMs) <= TOLERANCE_MS + measuredMs * TOLERANCE;
  return isClose ? Math.min(claimedMs, measuredMs) : measuredMs;
}

/** An answer that comes long after the deadline is a timeout, whatever the worker says. */
export function inTime(item: Item, answer: CheckedAnswer, attemptMs: number): CheckedAnswer {
  const { timeout_ms } = item.attempt;
  if ('failure' in answer || attemptMs <= timeout_ms + LATE_MS) return answer;
  const { transcript: _late, ...rest } = answer;
  return { ...rest, failure: { status: 'timeout', error: timeoutText(timeout_ms) } };
}

/** Silent beyond the shortest deadline it holds, or alive although an attempt is long overdue. */
export function isHung(worker: PoolWorker, time: number): boolean {
  if (!worker.canHang) return false;
  const intakeMs = worker.heldBytes / BYTES_PER_MS;
  const silentMs = time - worker.lastHeardAt;
  if (!worker.isReady) return silentMs > START_MS + intakeMs;
  let shortest = Infinity;
  for (const { attempt, startedAt, isPaused } of worker.held.values()) {
    if (startedAt === undefined) continue;
    shortest = Math.min(shortest, attempt.timeout_ms);
    const overdueMs = time - startedAt - attempt.timeout_ms;
    if (isPaused !== true && overdueMs > LATE_MS + intakeMs) return true;
  }
  return silentMs > shortest + SILENCE_MS + intakeMs;
}
