// Decides whether a worker hangs.

import type { PoolWorker } from './process/worker-process.ts';

/** Silence beyond the deadline before a worker counts as hung. */
const GRACE_MS = 250;
/** Beyond the longest deadline a worker holds: something in it must have settled by then. */
const PROGRESS_GRACE_MS = 2000;
/** A worker that is still taking in what it was sent may do nothing else for this long. */
const INTAKE_MS = 60_000;

/**
 * Silent beyond the shortest deadline it holds, or alive without settling anything beyond the longest. A worker that has
 * begun nothing is still reading what it was sent.
 */
export function isHung(worker: PoolWorker, time: number): boolean {
  let shortest = Infinity;
  let longest = 0;
  for (const { attempt } of worker.held.values()) {
    shortest = Math.min(shortest, attempt.timeout_ms);
    longest = Math.max(longest, attempt.timeout_ms);
  }
  const isSilent = time - worker.lastHeardAt > shortest + GRACE_MS;
  const isStuck = time - worker.lastProgressAt > longest + PROGRESS_GRACE_MS;
  if (!isSilent && !isStuck) return false;
  return worker.unsettled().begun.length > 0 || time - worker.lastProgressAt > longest + INTAKE_MS;
}
