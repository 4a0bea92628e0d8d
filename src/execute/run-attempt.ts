// In a worker: one attempt in, one outcome out, whatever happens; never throws and never takes longer than its deadline.

import type { Agent } from '../agents/adapter.ts';
import { AttemptError, ConfigError, messageOf } from '../errors.ts';
import { kinds } from '../kinds/registry.ts';
import type { Outcome } from '../model/outcome.ts';
import { formatGoDuration } from '../platform/duration.ts';
import type { AttemptScope } from './capture.ts';
import { attemptScope, LogBuffer } from './capture.ts';
import type { SentAttempt, SettledAttempt } from './protocol.ts';

/** The longest delay a timer of Node takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

class DeadlineError extends Error {}

/** An attempt that is executing; `fail` ends it from outside (an uncaught exception that belongs to it). */
export type RunningAttempt = {
  scope: AttemptScope;
  done: Promise<SettledAttempt>;
  /** Settles when the attempt's own code is really over, which may be long after `done`. */
  over: Promise<unknown>;
  fail(error: unknown): void;
};

/** Starts an attempt. */
export function startAttempt(sent: SentAttempt, open: () => Promise<Agent>): RunningAttempt {
  const scope: AttemptScope = { seq: sent.seq, logs: new LogBuffer() };
  const controller = new AbortController();
  const { signal } = controller;
  const { promise: stopped, reject: stop } = deferred();
  const timer = setTimeout(
    () => {
      const error = new DeadlineError(`timeout after ${formatGoDuration(sent.timeout_ms)}`);
      stop(error);
      controller.abort(error);
    },
    Math.min(sent.timeout_ms, MAX_DELAY_MS),
  );
  const started = performance.now();
  const over = attemptScope.run(scope, async () => {
    const agent = await open();
    const env = process.env;
    return kinds[sent.kind](sent, { agent, env, fetch: globalThis.fetch, signal });
  });

  const settle = (outcome: Outcome, error?: unknown): SettledAttempt => {
    clearTimeout(timer);
    const logs = scope.logs.lines();
    if (logs !== undefined) outcome.logs = [...logs, ...(outcome.logs ?? [])];
    const settled: SettledAttempt = { seq: sent.seq, outcome };
    if (error instanceof AttemptError && error.retryAfterMs !== undefined) settled.retry_after_ms = error.retryAfterMs;
    return settled;
  };
  const done = Promise.race([over, stopped]).then(
    (outcome) => settle(outcome),
    (error: unknown) => settle(outcomeOfError(error, performance.now() - started), error),
  );
  return { scope, done, over, fail: stop };
}

function outcomeOfError(error: unknown, elapsedMs: number): Outcome {
  const duration_ms = Math.round(elapsedMs);
  if (error instanceof DeadlineError) return { status: 'timeout', duration_ms, error: error.message };
  if (error instanceof AttemptError) {
    const outcome: Outcome = { status: 'error', code: error.code, duration_ms, error: error.message };
    const stack = error.cause instanceof Error ? error.cause.stack : undefined;
    if (stack !== undefined) outcome.stack = stack;
    if (error.logs !== undefined) outcome.logs = error.logs;
    return outcome;
  }
  const code = error instanceof ConfigError ? 'harness' : 'agent';
  const outcome: Outcome = { status: 'error', code, duration_ms, error: messageOf(error) };
  if (error instanceof Error && error.stack !== undefined) outcome.stack = error.stack;
  return outcome;
}

function deferred(): { promise: Promise<never>; reject: (error: unknown) => void } {
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<never>((_resolve, fail) => {
    reject = fail;
  });
  return { promise, reject };
}
