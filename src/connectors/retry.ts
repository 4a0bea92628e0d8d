// Runs a call with a concurrency limit, pauses and retries.

import { isThenable } from '../platform/thenable.ts';
import { clearTimeout, setTimeout } from 'node:timers';
import { AttemptError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import { formatDuration } from '../text/duration.ts';
import type { ChatDeps } from './chat.ts';
import { modelError } from './failure.ts';
import { Limiter } from './limiter.ts';

const BASE_MS = 250;
const MAX_MS = 30_000;

/** Tries while the server refuses every call. More than for other failures, because rate limits pass. */
const RATE_LIMIT_TRIES = 10;

/** Tries of one call in total: refused this often while other calls succeed, the call itself is the problem. */
const MAX_REFUSALS = 100;

/** How often a refused call goes first again; then other calls show whether the server refuses everything. */
const TRIES_IN_FRONT = 3;

/** A server that asks for a longer wait fails the call. */
const LONGEST_WAIT_MS = 10 * 60_000;

const limiters = new Map<string, Limiter>();

/** Runs one call with retries. The error thrown in the end is final, so that callers do not retry again. */
export async function withRetry<T>(connector: Connector, deps: ChatDeps, work: () => Promise<T>): Promise<T> {
  const { signal, retries, log, backoffMs = BASE_MS } = deps;
  const limiter = findLimiter(connector);
  let failures = 0;
  let refusals = 0;
  /** Refusals in a row while no other call succeeded. */
  let refusedInARow = 0;
  let release: (() => void) | undefined;
  for (;;) {
    const tries = failures + refusals;
    const entering = limiter.enter(signal, { isReturning: tries > 0 && refusals < TRIES_IN_FRONT });
    if (isThenable(entering) && tries === 0) release = deps.waiting?.(waitingError(connector));
    const slot = isThenable(entering) ? await entering : entering;
    release?.();
    release = undefined;
    try {
      const result = await work();
      limiter.succeed();
      return result;
    } catch (error) {
      if (!(error instanceof AttemptError)) {
        limiter.leave();
        throw error;
      }
      const { retryAfterMs = 0 } = error;
      const isTooLong = retryAfterMs > LONGEST_WAIT_MS;
      const askedForMs = isTooLong ? 0 : retryAfterMs;
      let pauseMs: number;
      let isEnough = error.isFinal || retries === 0 || isTooLong;
      if (error.code === 'rate_limit') {
        const severity = limiter.severity(slot);
        refusals += 1;
        refusedInARow = severity < 0 ? 0 : refusedInARow + 1;
        // A late call does not inherit the long pauses of earlier ones.
        pauseMs = pauseBefore(Math.min(severity, refusedInARow - 1), askedForMs, backoffMs);
        limiter.slowDown(slot, pauseMs);
        isEnough ||= refusedInARow >= RATE_LIMIT_TRIES || refusals >= MAX_REFUSALS;
      } else {
        pauseMs = pauseBefore(failures, askedForMs, backoffMs);
        failures += 1;
        limiter.leave();
        isEnough ||= failures > retries;
      }
      if (isEnough) throw finalError(error, tries + 1, isTooLong);
      release = deps.waiting?.(error);
      log(`${error.message}; trying again in ${formatDuration(pauseMs)}`);
      // For rate limits, the limiter pauses all calls.
      if (error.code !== 'rate_limit') await pause(pauseMs, signal);
    }
  }
}

function waitingError(connector: Connector): AttemptError {
  return modelError(connector, 'rate_limit', 'waiting for a free slot: the server is over its rate limit');
}

/** Exponential backoff with full jitter, at least as long as the server asked for. */
function pauseBefore(doublings: number, askedForMs: number, baseMs: number): number {
  return Math.max(askedForMs, Math.random() * Math.min(MAX_MS, baseMs * 2 ** doublings));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = (): void => {
      clearTimeout(timer);
      // Thrown unchanged: the caller recognises its own reason.
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function finalError(error: AttemptError, tries: number, isTooLong: boolean): AttemptError {
  const asked = `it asks to wait for ${formatDuration(error.retryAfterMs ?? 0)}`;
  const reason = isTooLong ? `; ${asked}, more than the maximum of ${formatDuration(LONGEST_WAIT_MS)}` : '';
  const message = `${error.message}${reason}${tries === 1 ? '' : ` (tried ${String(tries)} times)`}`;
  return new AttemptError(error.code, message, { cause: error.cause ?? error, isFinal: true });
}

/** Keyed by id and address: connectors of different assistants may share an id. */
function findLimiter({ id, url, file, concurrency }: Connector): Limiter {
  const name = `${id}\0${url ?? file ?? ''}`;
  let limiter = limiters.get(name);
  if (limiter === undefined) limiters.set(name, (limiter = new Limiter(concurrency)));
  return limiter;
}
