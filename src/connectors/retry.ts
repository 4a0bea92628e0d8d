// Work that a server may refuse for a while: limited, paused and tried again until it is done or hopeless.

import { clearTimeout, setTimeout } from 'node:timers';
import { AttemptError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import { formatDuration } from '../text/duration.ts';
import type { ChatDeps } from './chat.ts';
import { modelError } from './failure.ts';
import { Limiter } from './limiter.ts';

const BASE_MS = 250;
const MAX_MS = 30_000;

/** A server that is asked too often will answer some time, so that it is asked more often than one that fails. */
const RATE_LIMIT_TRIES = 10;

/** What is refused so often while others are answered is refused for its own sake. */
const MOST_TRIES = 100;

/** So often a refused call goes first again; then others show whether the server refuses everything. */
const TRIES_IN_FRONT = 3;

/** Who asks for more than this is not waited for. */
const LONGEST_WAIT_MS = 10 * 60_000;

const limiters = new Map<string, Limiter>();

/** Does one call to its end. What is thrown in the end is final, so that nobody multiplies the tries. */
export async function withRetry<T>(connector: Connector, deps: ChatDeps, work: () => Promise<T>): Promise<T> {
  const { signal, retries, log, backoffMs = BASE_MS } = deps;
  const limiter = limiterOf(connector);
  let failures = 0;
  let refusals = 0;
  /** Refusals while nobody was answered; those among answers are nobody's fault. */
  let inVain = 0;
  let release: (() => void) | undefined;
  for (;;) {
    const tries = failures + refusals;
    const entering = limiter.enter(signal, { isReturning: tries > 0 && refusals < TRIES_IN_FRONT });
    if (entering instanceof Promise && tries === 0) release = deps.waiting?.(noPlace(connector));
    const place = entering instanceof Promise ? await entering : entering;
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
        const severity = limiter.severityOf(place);
        refusals += 1;
        inVain = severity < 0 ? 0 : inVain + 1;
        // A call that has come last does not wait as long as those before it did.
        pauseMs = pauseBefore(Math.min(severity, inVain - 1), askedForMs, backoffMs);
        limiter.slowDown(place, pauseMs);
        isEnough ||= inVain >= RATE_LIMIT_TRIES || refusals >= MOST_TRIES;
      } else {
        pauseMs = pauseBefore(failures, askedForMs, backoffMs);
        failures += 1;
        limiter.leave();
        isEnough ||= failures > retries;
      }
      if (isEnough) throw finalError(error, tries + 1, isTooLong);
      release = deps.waiting?.(error);
      log(`${error.message}; trying again in ${formatDuration(pauseMs)}`);
      // The limiter makes everybody wait for a server that has too much to do.
      if (error.code !== 'rate_limit') await pause(pauseMs, signal);
    }
  }
}

function noPlace(connector: Connector): AttemptError {
  return modelError(
    connector,
    'rate_limit',
    'no call may begin: others wait for a server that has too much to do',
  );
}

/** How long to wait: doubling, any part of it, never less than the other side asked for. */
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
      // The reason is thrown as it is, because its giver recognises it.
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function finalError(error: AttemptError, tries: number, isTooLong: boolean): AttemptError {
  const asked = `it asks to wait for ${formatDuration(error.retryAfterMs ?? 0)}`;
  const reason = isTooLong ? `; ${asked}, and at most ${formatDuration(LONGEST_WAIT_MS)} is waited` : '';
  const message = `${error.message}${reason}${tries === 1 ? '' : ` (tried ${String(tries)} times)`}`;
  return new AttemptError(error.code, message, { cause: error.cause ?? error, isFinal: true });
}

/** An assistant's own connector may have the name of another one, but not its address as well. */
function limiterOf({ id, url, file, concurrency }: Connector): Limiter {
  const name = `${id}\0${url ?? file ?? ''}`;
  let limiter = limiters.get(name);
  if (limiter === undefined) limiters.set(name, (limiter = new Limiter(concurrency)));
  return limiter;
}
