// Runs one attempt in a worker to its outcome. Never throws, and never takes longer than its deadline.

import type { Agent, Directory } from '../../../agents/adapter.ts';
import { AttemptError, ConfigError, messageOf } from '../../../errors.ts';
import { executeAgentEval } from './agent-eval.ts';
import type { Outcome } from '../../../model/outcome.ts';
import { boundedText } from '../../../text/bounded-text.ts';
import { withTape } from '../../../platform/tape-scope.ts';
import type { AttemptTape } from '../../../tapes/attempt-tape.ts';
import { timeoutText } from '../../../text/duration.ts';
import { callFunction, hookFolder } from '../../../scripts/call-function.ts';
import { attemptScope, LogBuffer } from '../../../execute/worker/capture.ts';
import { clearTimeout, now, setTimeout } from '../../../execute/process/intrinsics.ts';
import { toJsonValue } from '../../../execute/worker/json-value.ts';
import type { ReceivedAttempt, SettledAttempt } from '../../../execute/process/protocol.ts';

/** Limit for closing work, such as cancelling a remote task. */
const CLOSING_MS = 1500;
/** Limit for an answer that the agent ignores but that is recorded on tape. */
const TAPE_REST_MS = 500;

class DeadlineError extends Error {}

/** The services and callbacks of the worker. */
export type AttemptHost = {
  directory: Directory;
  /** Retries of a model call. */
  retries: number;
  /** Records or replays the traffic of the attempt. */
  tape?: AttemptTape | undefined;
  /** Called once, possibly before `begin` returns. */
  settled(run: RunningAttempt, settled: SettledAttempt): void;
  /** Reports the return value of the `before` hook. */
  tellBefore(seq: number, data: unknown): void;
  /** Reports the progress of a conversation, once per turn. */
  tellNote(seq: number, partial: Partial<Outcome>): void;
  /** Reports what the attempt is waiting for, or undefined. */
  tellWaiting(seq: number, reason: AttemptError | undefined): void;
};

/** A running attempt. A synchronous agent costs neither a timer nor a promise. */
export class RunningAttempt {
  readonly seq: number;
  readonly logs = new LogBuffer();
  readonly env = process.env;
  readonly fetch = globalThis.fetch;
  readonly directory: Directory;
  readonly retries: number;
  readonly #tape: AttemptTape | undefined;
  /** Resolves when the attempt's code has returned, which may be long after the outcome is settled. */
  over: Promise<void> | undefined;
  #attempt: ReceivedAttempt;
  #host: AttemptHost;
  #startedAt = now();
  #timer: NodeJS.Timeout | undefined;
  #controller: AbortController | undefined;
  #expired: DeadlineError | undefined;
  #partial: Partial<Outcome> | undefined;
  #waitingFor: AttemptError[] = [];
  #closing: Promise<unknown> | undefined;
  #isSettled = false;

  constructor(attempt: ReceivedAttempt, host: AttemptHost) {
    this.seq = attempt.seq;
    this.directory = host.directory;
    this.retries = host.retries;
    this.#tape = host.tape;
    if (this.#tape !== undefined) this.#followTape(this.#tape);
    this.#attempt = attempt;
    this.#host = host;
  }

  /** A replayed tape may decide how the attempt ends. */
  #followTape(tape: AttemptTape): void {
    tape.timedOut = () => this.#expire();
    tape.missed = () => {
      this.#controller?.abort(tape.problem);
      this.fail(tape.problem);
    };
  }

  get hasHooks(): boolean {
    const { before, after } = this.#attempt.case;
    return before !== undefined || after !== undefined;
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#expired !== undefined) this.#controller.abort(this.#expired);
    return this.#controller.signal;
  }

  /** Saves a partial outcome, in case the attempt does not complete. */
  note(partial: Partial<Outcome>): void {
    const isNewTurn = partial.turns !== this.#partial?.turns;
    this.#partial = partial;
    if (isNewTurn) this.#host.tellNote(this.seq, partial);
  }

  /** Notes what the attempt is waiting for: if its deadline passes meanwhile, this is the error, and not a timeout of the agent. */
  waiting(reason: AttemptError): () => void {
    this.#waitingFor.push(reason);
    if (!this.#isSettled) this.#host.tellWaiting(this.seq, reason);
    return () => {
      this.#waitingFor = this.#waitingFor.filter((other) => other !== reason);
      if (!this.#isSettled) this.#host.tellWaiting(this.seq, this.#waitingFor.at(-1));
    };
  }

  /** Delays the outcome until this work is done: a worker may be killed as soon as all outcomes are known. */
  closing(work: Promise<unknown>, limitMs = CLOSING_MS): void {
    const limit = new Promise<void>((resolve) => void setTimeout(resolve, limitMs).unref());
    const ended = Promise.race([work.catch(() => undefined), limit]);
    this.#closing = Promise.all([this.#closing, ended]);
  }

  begin(agent: Agent | Promise<Agent>): void {
    const execute = (): Outcome | Promise<Outcome> | undefined =>
      attemptScope.run(this, () => this.#execute(agent));
    const work = this.#tape === undefined ? execute() : withTape(this.#tape, execute);
    if (work === undefined) return;
    if (!(work instanceof Promise)) return this.#settle(work);
    this.over = work.then(
      (outcome) => this.#settle(outcome),
      (error: unknown) => this.fail(error),
    );
    const rest = this.#attempt.timeout_ms - (now() - this.#startedAt);
    this.#timer = setTimeout(() => this.#expire(), Math.max(rest, 0));
  }

  /** Ends the attempt with an error, thrown inside it or uncaught. */
  fail(error: unknown): void {
    const blamed = this.#blame(error);
    const elapsed = now() - this.#startedAt;
    const reported = this.#tape?.time('attempt', elapsed) ?? elapsed;
    this.#settle({ ...this.#partial, ...errorOutcome(blamed, reported) }, blamed);
  }

  #execute(agent: Agent | Promise<Agent>): Outcome | Promise<Outcome> | undefined {
    const { before } = this.#attempt.case;
    if (before !== undefined) return this.#executeAfter(before, agent);
    try {
      if (!(agent instanceof Promise)) return executeAgentEval(this.#attempt, agent, this);
      return agent.then((opened) => executeAgentEval(this.#attempt, opened, this));
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  async #executeAfter(before: string, agent: Agent | Promise<Agent>): Promise<Outcome> {
    const { base, case: testCase, context, root, subject: agentSubject } = this.#attempt;
    const folder = hookFolder(before, { agent: agentSubject, base, root });
    const { signal } = this;
    const release = this.waiting(new AttemptError('harness', `before ${before} has not ended`));
    try {
      const data = await callFunction(before, (ctx) => [ctx, testCase], { root, folder, context, signal });
      this.#host.tellBefore(this.seq, toJsonValue(data));
    } catch (error) {
      if (error === this.#expired) throw error;
      throw new AttemptError('harness', `before ${before}: ${messageOf(error)}`, { cause: error });
    } finally {
      release();
    }
    return executeAgentEval(this.#attempt, await agent, this);
  }

  #expire(): void {
    this.#expired = new DeadlineError(timeoutText(this.#attempt.timeout_ms));
    // Abort first: listeners may still add the agent's output to the logs.
    this.#controller?.abort(this.#expired);
    const reason = this.#waitingFor.at(-1);
    const missing = this.#tape?.hanging;
    this.fail(missing ?? (reason === undefined ? this.#expired : stillWaiting(reason, this.#expired)));
  }

  /** Blames a judge, a simulator or a hook for an error while the attempt waits for it. */
  #blame(error: unknown): unknown {
    const helper = this.#waitingFor.findLast(({ code }) => code === 'judge' || code === 'harness');
    const isAgentError =
      !(error instanceof DeadlineError) && (!(error instanceof AttemptError) || error.code === 'agent');
    if (helper === undefined || !isAgentError) return error;
    return new AttemptError(helper.code, `${helper.message}: ${messageOf(error)}`, { cause: error });
  }

  #settle(judged: Outcome, error?: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    if (this.#waitingFor.length > 0) this.#host.tellWaiting(this.seq, undefined);
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    const problem = this.#tape?.problem;

    // A request without its recording makes the replay invalid, even if the agent handled the error.
    const outcome =
      problem === undefined ? judged : { ...this.#partial, ...errorOutcome(problem, judged.duration_ms) };
    const logs = this.logs.lines();
    if (logs !== undefined) outcome.logs = [...logs, ...(outcome.logs ?? [])];

    const settled: SettledAttempt = { seq: this.seq, outcome };
    if (problem !== undefined) settled.is_final = true;
    if (error instanceof AttemptError) {
      if (error.retryAfterMs !== undefined) settled.retry_after_ms = error.retryAfterMs;
      if (error.isFinal) settled.is_final = true;
    }

    const tape = this.#tape;
    const rest = tape?.rest();
    if (tape !== undefined) settled.took_ms = now() - this.#startedAt;
    // Record answers that the agent did not wait for, if they come soon.
    if (rest !== undefined) this.closing(rest, TAPE_REST_MS);
    const tell = (): void => {
      if (tape !== undefined) settled.tape = tape.report(outcome.status);
      this.#host.settled(this, settled);
    };
    if (this.#closing === undefined) tell();
    else void this.#closing.then(tell);
  }
}

function stillWaiting({ code, message }: AttemptError, { message: end }: DeadlineError): AttemptError {
  return new AttemptError(code, `${message} (still waiting at the ${end})`, { isFinal: true });
}

/** User code may throw anything: keeps only bounded text. */
function errorOutcome(error: unknown, elapsedMs: number): Outcome {
  const duration_ms = Math.round(elapsedMs);
  if (error instanceof DeadlineError)
    return withLogs({ status: 'timeout', duration_ms, error: error.message }, error);
  const isKnown = error instanceof AttemptError;
  const code = isKnown ? error.code : error instanceof ConfigError ? 'harness' : 'agent';
  const outcome: Outcome = { status: 'error', code, duration_ms, error: boundedText(messageOf(error)) };
  // A stack helps for errors of user code, but not for a broken connection inside Node.
  const stack: unknown = code === 'agent' ? readStack(isKnown ? error.cause : error) : undefined;
  if (typeof stack === 'string') outcome.stack = boundedText(stack);
  return withLogs(outcome, error);
}

function withLogs(outcome: Outcome, error: unknown): Outcome {
  const logs: unknown = error instanceof Error && 'logs' in error ? error.logs : undefined;
  if (Array.isArray(logs)) outcome.logs = logs.map(String);
  return outcome;
}

function readStack(error: unknown): unknown {
  try {
    return error instanceof Error ? error.stack : undefined;
  } catch {
    return undefined;
  }
}
