// Decides which outcomes are retried, and when.

import type { Outcome } from '../model/outcome.ts';
import { isMeasured } from '../model/outcome.ts';
import { MAX_DURATION_MS } from '../text/duration.ts';

const BASE_MS = 250;
const MAX_MS = 30_000;
/** Maximum wait that a server's Retry-After can cause; the timeout of the attempt limits it, too. */
const MINUTE_MS = 60_000;
/** A retry cannot help: a wrong key, an assertion that cannot be judged. */
const HOPELESS = new Set<Outcome['code']>(['auth', 'judge']);

/** True for what could not be measured, if it may be otherwise the next time and that is not too far away. */
export function isWorthAnotherTry(
  outcome: Outcome,
  { timeout_ms }: { timeout_ms: number },
  retryAfterMs: number | undefined,
): boolean {
  if (outcome.status !== 'error' || isMeasured(outcome) || HOPELESS.has(outcome.code)) return false;
  return retryAfterMs === undefined || retryAfterMs <= Math.max(timeout_ms, MINUTE_MS);
}

/** How long to wait before try number `retry` (from 1): doubling, with jitter, never less than the other side asked for. */
export function pauseBefore(retry: number, askedForMs = 0, random = Math.random): number {
  const exponential = Math.min(MAX_MS, BASE_MS * 2 ** (retry - 1));
  return Math.min(MAX_DURATION_MS, Math.max(askedForMs, exponential / 2 + (exponential / 2) * random()));
}
