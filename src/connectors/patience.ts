// Work that a server may refuse for a while: limited, paused and tried again until it is done or hopeless.

import { clearTimeout, setTimeout } from 'node:timers';
import { AttemptError } from '../errors.ts';
import type { Connector } from '../model/connector.ts';
import { formatDuration, MAX_DURATION_MS } from '../platform/duration.ts';
import type { ChatDeps } from './chat.ts';
import { modelError } from './failure.ts';
import { Limiter } from './limiter.ts';

const BASE_MS = 250;
const MAX_MS = 30_000;

/** A server that is asked too often will answer some time, so that it is asked more often than one that fails. */
const RATE_LIMIT_TRIES = 10;

const limiters = new Map<string, Limiter>();

/** Does one call to its end. What is thrown in the end is final, so that nobody multiplies the tries. */
export async function withPatience<T>(
  connector: Connector,
  deps: ChatDeps,
  work: () => Promise<T>,
): Promise<T> {
  const { signal, retries, log, backoffMs = BASE_MS } = deps;
  const limiter = limiterOf(connector);
  let failures = 0;
  let refusals = 0;
  let release: (() => void) | undefined;
  for (;;) {
    const tries = failures + refusals;
    const entering = limiter.enter(signal, { isReturning: tries > 0 });
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
      const isRefusal = error.code === 'rate_limit';
      const count = isRefusal ? (refusals += 1) : (failures += 1);
      const pauseMs = pauseBefore(count, error.retryAfterMs, backoffMs);
      if (isRefusal) limiter.slowDown(place, pauseMs);
      else limiter.leave();
      const isEnough = isRefusal ? retries === 0 || count >= RATE_LIMIT_TRIES : count > retries;
      if (error.isFinal || isEnough) throw finalError(error, tries + 1);
      release = deps.waiting?.(error);
      log(`${error.message}; trying again in ${formatDuration(pauseMs)}`);
      // The limiter makes everybody wait for a server that has too much to do.
      if (!isRefusal) await pause(pauseMs, signal);
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
function pauseBefore(retry: number, askedForMs: number | undefined, baseMs: number): number {
  const longest = Math.min(MAX_MS, baseMs * 2 ** (retry - 1));
  return Math.min(MAX_DURATION_MS, Math.max(askedForMs ?? 0, Math.random() * longest));
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

function finalError(error: AttemptError, tries: number): AttemptError {
  const message = tries === 1 ? error.message : `${error.message} (tried ${String(tries)} times)`;
  return new AttemptError(error.code, message, { cause: error.cause ?? error, isFinal: true });
}

/** An assistant's own connector may have the name of another one, but not its address as well. */
function limiterOf({ id, url, file, concurrency }: Connector): Limiter {
  const name = `${id}\0${url ?? file ?? ''}`;
  let limiter = limiters.get(name);
  if (limiter === undefined) limiters.set(name, (limiter = new Limiter(concurrency)));
  return limiter;
}
