// Runs one attempt in a worker: calls the agent and sends its answers. Never throws, and never takes longer than its deadline.
// Nothing is judged here, because the agent's code could change the verdict.

import type { Agent, AgentDeps, Directory } from '../../../agents/adapter.ts';
import { withOptions } from '../../../agents/adapter.ts';
import { AttemptError, ConfigError, messageOf, MisconfiguredAgent } from '../../../errors.ts';
import type { CaseInput, Message } from '../../../model/case.ts';
import type { Status } from '../../../model/outcome.ts';
import type { Transcript } from '../../../model/agent.ts';
import { boundedText } from '../../../text/bounded-text.ts';
import { isThenable } from '../../../platform/thenable.ts';
import { withTape } from '../../../platform/tape-scope.ts';
import type { AttemptTape } from '../../../tapes/attempt-tape.ts';
import { timeoutText } from '../../../text/duration.ts';
import { callFunction } from '../../../scripts/call-function.ts';
import { addMocks, endSession } from '../../../scripts/context/session.ts';
import { readHookResult } from '../../../scripts/hook-result.ts';
import { hookFolder } from '../../../scripts/locate-function.ts';
import { attemptScope, LogBuffer } from '../../../execute/worker/capture.ts';
import { clearTimeout, now, Promise, setTimeout } from '../../../execute/process/intrinsics.ts';
import { toJsonValue } from '../../../execute/worker/json-value.ts';
import type {
  AgentFailure,
  Answer,
  EndedConversation,
  ReceivedAttempt,
} from '../../../execute/process/protocol.ts';
import { inlineFiles, messagesOf } from '../messages.ts';
import { plainTranscript } from './plain-transcript.ts';

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
  /** Called once for a case, and once for each turn of a conversation; possibly before `begin` returns. */
  answered(run: RunningAttempt, answer: Answer): void;
  /** A conversation is over. */
  ended(run: RunningAttempt, end: EndedConversation): void;
  /** Asks for `go` or the first turn, because the agent is ready only now. */
  tellPrepared(seq: number): void;
  /** Reports the return value of the `before` hook. */
  tellBefore(seq: number, data: unknown): void;
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
  /** Resolves when the agent's code has returned, which may be long after its answer was given up. */
  over: Promise<void> | undefined;
  #attempt: ReceivedAttempt;
  #host: AttemptHost;
  #startedAt = now();
  #timer: NodeJS.Timeout | undefined;
  #controller: AbortController | undefined;
  #expired: DeadlineError | undefined;
  #waitingFor: AttemptError[] = [];
  #closing: Promise<unknown> | undefined;
  #agent: Agent | undefined;
  /** The coordinator waits for an answer. */
  #isAsked = true;
  /** An error between two turns; the next turn fails with it. */
  #problem: { error: unknown } | undefined;

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

  /** Its answers are not sent in batches: a hook has effects, so the attempt must not run again because the next one blocks. */
  get isUrgent(): boolean {
    return this.isConversation || (this.#attempt.case.before ?? this.#attempt.case.after) !== undefined;
  }

  get isConversation(): boolean {
    return this.#attempt.is_conversation === true;
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#expired !== undefined) this.#controller.abort(this.#expired);
    return this.#controller.signal;
  }

  /** Notes what the attempt is waiting for: if its deadline passes meanwhile, this is the error, and not a timeout of the agent. */
  waiting(reason: AttemptError): () => void {
    this.#waitingFor.push(reason);
    if (this.#isAsked) this.#host.tellWaiting(this.seq, reason);
    return () => {
      this.#waitingFor = this.#waitingFor.filter((other) => other !== reason);
      if (this.#isAsked) this.#host.tellWaiting(this.seq, this.#waitingFor.at(-1));
    };
  }

  /** Delays the answer until this work is done: a worker may be killed as soon as all answers are known. */
  closing(work: Promise<unknown>, limitMs = CLOSING_MS): void {
    const limit = new Promise<void>((resolve) => void setTimeout(resolve, limitMs).unref());
    const ended = Promise.race([work.catch(() => undefined), limit]);
    this.#closing = Promise.all([this.#closing, ended]);
  }

  /** Prepares the agent. If there is nothing to wait for, calls it at once; else the coordinator says when. */
  begin(agent: Agent | Promise<Agent>): void {
    this.#inScope(() => {
      try {
        const { input, mocks } = this.#attempt.case;
        if (mocks !== undefined) addMocks(this.#attempt.context, mocks);
        if (this.#attempt.is_deferred !== true && !isThenable(agent)) {
          const messages = inlineFiles(messagesOf(input), this.#attempt);
          const ready = agent.prepare?.(this);
          if (!isThenable(messages) && ready === undefined) return this.#call(agent, messages);
        }
        this.#startTimer(this.#attempt.timeout_ms);
        void this.#prepare(agent).catch((error: unknown) => this.fail(error));
      } catch (error) {
        this.fail(error);
      }
    });
  }

  /** Calls the prepared agent with the input of the case. */
  go(input: CaseInput): void {
    const agent = this.#agent;
    if (agent === undefined || !this.#isAsked) return;
    this.#inScope(() => {
      const messages = inlineFiles(messagesOf(input), this.#attempt);
      if (!isThenable(messages)) return this.#call(agent, messages);
      void this.#callLater(agent, messages);
    });
  }

  async #callLater(agent: Agent, messages: Promise<Message[]>): Promise<void> {
    try {
      this.#call(agent, await messages);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Calls the agent with the messages of a conversation so far. */
  turn(messages: Message[], timeoutMs: number): void {
    const agent = this.#agent;
    if (agent === undefined) return;
    this.#isAsked = true;
    this.#startedAt = now();
    const problem = this.#problem ?? (this.#expired === undefined ? undefined : { error: this.#expired });
    if (problem !== undefined) return this.fail(problem.error);
    this.#startTimer(timeoutMs);
    this.#inScope(() => this.#call(agent, messages));
  }

  /** Ends a conversation. */
  end(status: Status): void {
    this.#isAsked = false;
    endSession(this.#attempt.context);
    const tell = (): void => {
      const logs = this.logs.lines();
      this.#tape?.tell(logs);
      this.#host.ended(this, {
        seq: this.seq,
        ...(logs !== undefined && { logs }),
        ...(this.#tape !== undefined && { tape: this.#tape.report(status) }),
      });
    };
    this.#afterClosing(tell);
  }

  /** Ends the call with an error, thrown inside it or uncaught. */
  fail(error: unknown): void {
    const blamed = this.#blame(error);
    if (!this.#isAsked) this.#problem ??= { error: blamed };
    else this.#answer({ failure: describeFailure(blamed) }, blamed);
  }

  async #prepare(agent: Agent | Promise<Agent>): Promise<void> {
    const { before, input } = this.#attempt.case;
    if (before !== undefined) await this.#callBefore(before);
    const opened = await agent;
    await opened.prepare?.(this);
    if (!this.#isAsked) return;
    if (this.#attempt.is_deferred !== true)
      return this.#call(opened, await inlineFiles(messagesOf(input), this.#attempt));
    this.#agent = opened;
    if (this.isConversation) this.#stopTimer();
    this.#host.tellPrepared(this.seq);
  }

  async #callBefore(before: string): Promise<void> {
    const { base, case: testCase, context, root, subject } = this.#attempt;
    const folder = hookFolder(before, { agent: subject, base, root });
    const { signal } = this;
    const release = this.waiting(new AttemptError('harness', `before ${before} has not ended`));
    try {
      const returned = await callFunction(before, (ctx) => [ctx, testCase], {
        root,
        folder,
        context,
        signal,
      });
      const { data, mocks } = readHookResult(returned);
      if (mocks !== undefined) addMocks(context, mocks);
      this.#host.tellBefore(this.seq, toJsonValue(data));
    } catch (error) {
      if (error === this.#expired) throw error;
      throw new AttemptError('harness', `before ${before}: ${messageOf(error)}`, { cause: error });
    } finally {
      release();
    }
  }

  #call(agent: Agent, messages: Message[]): void {
    const { case: testCase, context } = this.#attempt;
    const deps: AgentDeps = testCase.options === undefined ? this : withOptions(this, testCase.options);
    const calledAt = now();
    try {
      const returned = agent.run(messages, context, deps);
      if (!isThenable(returned)) return this.#accept(returned, calledAt);
      this.over = this.#wait(returned, calledAt);
      if (this.#timer === undefined) this.#startTimer(this.#attempt.timeout_ms - (now() - this.#startedAt));
    } catch (error) {
      this.fail(error);
    }
  }

  /** `await` and not `then`, which user code may have replaced. */
  async #wait(returned: PromiseLike<Transcript>, calledAt: number): Promise<void> {
    try {
      this.#accept(await returned, calledAt);
    } catch (error) {
      this.fail(error);
    }
  }

  #accept(transcript: Transcript, calledAt: number): void {
    this.#answer({ transcript: plainTranscript(transcript) }, undefined, now() - calledAt);
  }

  #inScope(work: () => void): void {
    const inside = (): void => attemptScope.run(this, work);
    if (this.#tape === undefined) inside();
    else withTape(this.#tape, inside);
  }

  #startTimer(timeoutMs: number): void {
    this.#stopTimer();
    this.#timer = setTimeout(() => this.#expire(), Math.max(timeoutMs, 0));
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #expire(): void {
    this.#expired = new DeadlineError(timeoutText(this.#attempt.timeout_ms));
    // Abort first: listeners may still add the agent's output to the logs.
    this.#controller?.abort(this.#expired);
    const reason = this.#waitingFor.at(-1);
    const missing = this.#tape?.hanging;
    this.fail(missing ?? (reason === undefined ? this.#expired : stillWaiting(reason, this.#expired)));
  }

  /** Blames a hook for an error while the attempt waits for it. */
  #blame(error: unknown): unknown {
    const helper = this.#waitingFor.findLast(({ code }) => code === 'harness');
    const isAgentError =
      !(error instanceof DeadlineError) && (!(error instanceof AttemptError) || error.code === 'agent');
    if (helper === undefined || !isAgentError) return error;
    return new AttemptError(helper.code, `${helper.message}: ${messageOf(error)}`, { cause: error });
  }

  #answer(content: Pick<Answer, 'failure' | 'transcript'>, error?: unknown, tookMs?: number): void {
    if (!this.#isAsked) return;
    this.#isAsked = false;
    if (this.#waitingFor.length > 0) this.#host.tellWaiting(this.seq, undefined);
    this.#stopTimer();
    const answer: Answer = { seq: this.seq, ...content, took_ms: tookMs ?? now() - this.#startedAt };
    const { isConversation } = this;
    const tape = this.#tape;
    if (!isConversation) endSession(this.#attempt.context);

    // A request without its recording makes the replay invalid, even if the agent handled the error.
    if (tape?.problem !== undefined) {
      delete answer.transcript;
      answer.failure = describeFailure(tape.problem);
    }
    const logs = isConversation ? undefined : this.logs.lines();
    const failureLogs: unknown = error instanceof Error && 'logs' in error ? error.logs : undefined;
    const said = Array.isArray(failureLogs) ? failureLogs.map(String) : [];
    if (logs !== undefined || said.length > 0) answer.logs = [...(logs ?? []), ...said];

    // Record answers that the agent did not wait for, if they come soon.
    const rest = tape?.rest();
    if (rest !== undefined) this.closing(rest, TAPE_REST_MS);
    this.#afterClosing(() => {
      tape?.tell(answer);
      if (tape !== undefined && !isConversation)
        answer.tape = tape.report(answer.failure?.status ?? 'passed');
      this.#host.answered(this, answer);
    });
  }

  #afterClosing(tell: () => void): void {
    if (this.#closing === undefined) tell();
    else void this.#closing.then(tell);
  }
}

function stillWaiting({ code, message }: AttemptError, { message: end }: DeadlineError): AttemptError {
  return new AttemptError(code, `${message} (still waiting at the ${end})`, { isFinal: true });
}

/** User code may throw anything: keeps only bounded text. */
function describeFailure(error: unknown): AgentFailure {
  if (error instanceof DeadlineError) return { status: 'timeout', error: error.message };
  const isKnown = error instanceof AttemptError;
  const code = isKnown ? error.code : error instanceof ConfigError ? 'harness' : 'agent';
  const failure: AgentFailure = { status: 'error', code, error: boundedText(messageOf(error)) };
  // A stack helps for errors of user code, but not for a broken connection inside Node.
  const stack: unknown = code === 'agent' ? readStack(isKnown ? error.cause : error) : undefined;
  if (typeof stack === 'string') failure.stack = boundedText(stack);
  if (isKnown && error.retryAfterMs !== undefined) failure.retry_after_ms = error.retryAfterMs;
  if (isKnown && error.isFinal) failure.is_final = true;
  if (error instanceof MisconfiguredAgent) failure.problem = error.problem;
  return failure;
}

function readStack(error: unknown): unknown {
  try {
    return error instanceof Error ? error.stack : undefined;
  } catch {
    return undefined;
  }
}
