import { MAX_DURATION_MS } from '../platform/duration.ts';

const BASE_MS = 250;
const MAX_MS = 30_000;

/** How long to wait before try number `retry` (from 1): doubling, with jitter, never less than the other side asked for. */
export function pauseBefore(retry: number, askedForMs = 0, random = Math.random): number {
  const exponential = Math.min(MAX_MS, BASE_MS * 2 ** (retry - 1));
  return Math.min(MAX_DURATION_MS, Math.max(askedForMs, exponential / 2 + (exponential / 2) * random()));
}
