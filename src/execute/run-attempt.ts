// In a worker: one attempt in, one outcome out, whatever happens; never throws and never takes longer than its deadline.

import type { Agent } from '../agents/adapter.ts';
import { AttemptError, ConfigError, messageOf } from '../errors.ts';
import { kinds } from '../kinds/registry.ts';
import type { Outcome } from '../model/outcome.ts';
import { formatGoDuration } from '../platform/duration.ts';
import { attemptScope, LogBuffer } from './capture.ts';
import { clearTimeout, now, setTimeout } from './intrinsics.ts';
import type { ReceivedAttempt, SettledAttempt } from './protocol.ts';

class DeadlineError extends Error {}

/** An attempt that is executing. An agent that answers at once costs neither a timer nor a promise. */
export class RunningAttempt {
  readonly seq: number;
  readonly logs = new LogBuffer();
  readonly env = process.env;
  readonly fetch = globalThis.fetch;
  /** Resolves when the attempt's own code is really over, which may be long after it was settled. */
  over: Promise<void> | undefined;
  #attempt: ReceivedAttempt;
  #settled: (run: RunningAttempt, settled: SettledAttempt) => void;
  #startedAt = now();
  #timer: NodeJS.Timeout | undefined;
  #controller: AbortController | undefined;
  #expired: DeadlineError | undefined;
  #isSettled = false;

  /** `settled` is called once, possibly before `begin` returns. */
  constructor(attempt: ReceivedAttempt, settled: (run: RunningAttempt, settled: SettledAttempt) => void) {
    this.seq = attempt.seq;
    this.#attempt = attempt;
    this.#settled = settled;
  }

  /** Made when someone asks for it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#expired !== undefined) this.#controller.abort(this.#expired);
    return this.#controller.signal;
  }

  begin(agent: Agent | Promise<Agent>): void {
    const work = attemptScope.run(this, () => this.#execute(agent));
    if (work === undefined) return;
    if (!(work instanceof Promise)) return this.#settle(work);
    this.over = work.then(
      (outcome) => this.#settle(outcome),
      (error: unknown) => this.fail(error),
    );
    const rest = this.#attempt.timeout_ms - (now() - this.#startedAt);
    this.#timer = setTimeout(() => this.#expire(), Math.max(rest, 0));
  }

  /** Ends it, from inside or because of an uncaught exception that belongs to it. */
  fail(error: unknown): void {
    this.#settle(outcomeOfError(error, now() - this.#startedAt), error);
  }

  #execute(agent: Agent | Promise<Agent>): Outcome | Promise<Outcome> | undefined {
    const execute = kinds[this.#attempt.kind];
    try {
      if (!(agent instanceof Promise)) return execute(this.#attempt, agent, this);
      return agent.then((opened) => execute(this.#attempt, opened, this));
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  #expire(): void {
    this.#expired = new DeadlineError(`timeout after ${formatGoDuration(this.#attempt.timeout_ms)}`);
    // First the signal: whoever hears it may still say what the agent had printed.
    this.#controller?.abort(this.#expired);
    this.fail(this.#expired);
  }

  #settle(outcome: Outcome, error?: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    const logs = this.logs.lines();
    if (logs !== undefined) outcome.logs = [...logs, ...(outcome.logs ?? [])];
    const settled: SettledAttempt = { seq: this.seq, outcome };
    if (error instanceof AttemptError) {
      if (error.retryAfterMs !== undefined) settled.retry_after_ms = error.retryAfterMs;
      if (error.isFinal) settled.is_final = true;
    }
    this.#settled(this, settled);
  }
}

/** User code may throw anything: only bounded text of it goes on. */
function outcomeOfError(error: unknown, elapsedMs: number): Outcome {
  const duration_ms = Math.round(elapsedMs);
  if (error instanceof DeadlineError)
    return withLogs({ status: 'timeout', duration_ms, error: error.message }, error);
  const isKnown = error instanceof AttemptError;
  const code = isKnown ? error.code : error instanceof ConfigError ? 'harness' : 'agent';
  const outcome: Outcome = { status: 'error', code, duration_ms, error: bounded(messageOf(error)) };
  // Where user code threw is of use; where a connection broke inside Node is not.
  const stack: unknown = code === 'agent' ? stackOf(isKnown ? error.cause : error) : undefined;
  if (typeof stack === 'string') outcome.stack = bounded(stack);
  return withLogs(outcome, error);
}

function withLogs(outcome: Outcome, error: unknown): Outcome {
  const logs: unknown = error instanceof Error && 'logs' in error ? error.logs : undefined;
  if (Array.isArray(logs)) outcome.logs = logs.map(String);
  return outcome;
}

function stackOf(error: unknown): unknown {
  try {
    return error instanceof Error ? error.stack : undefined;
  } catch {
    return undefined;
  }
}

const MAX_TEXT = 64 * 1024;

function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)} … (${text.length} characters)`;
}
