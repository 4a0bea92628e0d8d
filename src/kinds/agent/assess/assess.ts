// In the coordinator: answers of agents in, outcomes out. Code of agents, judges and scripts runs in other processes; this one asks
// them, measures time by its own clock, and decides.

import { AttemptError, messageOf } from '../../../errors.ts';
import type { AgentFailure, SideTape } from '../../../execute/process/protocol.ts';
import type { Item } from '../../../execute/process/worker-process.ts';
import type { Subject } from '../../../judge/assertion.ts';
import { isLarge } from '../../../judge/is-large.ts';
import { judgeAnswer, judgedElsewhere, NO_DEPS } from '../../../judge/judge.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { Message, TestCase } from '../../../model/case.ts';
import { isConversation } from '../../../model/case.ts';
import type { Outcome, Verdict } from '../../../model/outcome.ts';
import { isThenable } from '../../../platform/thenable.ts';
import type { RunTapes } from '../../../tapes/run-tapes.ts';
import type { TapeReport } from '../../../tapes/attempt-tape.ts';
import type { CheckedAnswer } from './check-answer.ts';
import { AttemptJudging, openJudgingProcesses } from './judge-deps.ts';
import type { SideCallSetting } from '../../../execute/side-call-process.ts';
import { summarizeVerdicts } from './verdicts.ts';

/** Durations of one call of the agent, by the clock of this process. */
export type Measured = {
  /** From the input to the answer. */
  answerMs: number;
  /** From the start of the attempt. */
  attemptMs: number;
};

/** The failure of an agent in a conversation. */
class AgentCallError extends Error {
  readonly failure: AgentFailure;

  constructor(failure: AgentFailure) {
    super(failure.error);
    this.failure = failure;
  }
}

/** An outcome with what only the scheduler needs to know. */
export type Assessed = { outcome: Outcome; failure?: AgentFailure | undefined };

/** Judges the answers of a run. */
export class Assessor {
  readonly #tapes: Pick<RunTapes, 'times'> | undefined;
  readonly #processes: ReturnType<typeof openJudgingProcesses>;
  readonly #closing = new AbortController();
  #tapeCount = 0;

  constructor(setting: SideCallSetting & { runTapes: Pick<RunTapes, 'times'> | undefined }) {
    this.#tapes = setting.runTapes;
    this.#processes = openJudgingProcesses(setting);
  }

  /** Starts the processes that will judge the case; true if it needs none, so that judging takes no time of its own. */
  prepare({ case: testCase }: Attempt): boolean {
    const { apart, asks } = judgedElsewhere(testCase);
    if (apart) this.#processes.builtIn.start();
    if (asks || testCase.simulator !== undefined) this.#processes.user.start();
    return !apart && !asks && !isConversation(testCase);
  }

  /** Judges an answer. Returns a promise only if judging takes time. */
  assess(item: Item, answer: CheckedAnswer, measured: Measured): Assessed | Promise<Assessed> {
    const times = (item.times ??= this.#tapes?.times(item.attempt));
    if ('failure' in answer) {
      const { failure } = answer;
      const duration = times?.time('attempt', measured.attemptMs) ?? measured.attemptMs;
      return { outcome: withLogs(failureOutcome(failure, duration), answer.logs), failure };
    }
    const { transcript, logs } = answer;
    const { case: testCase } = item.attempt;
    const duration_ms = times?.time('answer', measured.answerMs) ?? measured.answerMs;
    const subject: Subject = { output: transcript.output, input: testCase.input, transcript, duration_ms };
    if (testCase.expected !== undefined) subject.expected = testCase.expected;
    if (testCase.vars !== undefined) subject.vars = testCase.vars;
    if (testCase.metadata !== undefined) subject.metadata = testCase.metadata;
    // Without other processes the verdicts are there at once.
    const verdicts =
      item.isJudgedHere && !isLarge(subject) ? judgeAnswer(testCase, subject, NO_DEPS) : undefined;
    if (verdicts === undefined || isThenable(verdicts))
      return this.#assessElsewhere(item, answer, subject, measured.attemptMs);
    return { outcome: withLogs(judgedOutcome(subject, verdicts, testCase), logs) };
  }

  async #assessElsewhere(
    item: Item,
    { logs }: CheckedAnswer,
    subject: Subject,
    attemptMs: number,
  ): Promise<Assessed> {
    const { attempt } = item;
    const judging = this.#judging(item, performance.now() + attempt.timeout_ms - attemptMs);
    const verdicts = await judgeAnswer(attempt.case, subject, judging);
    const { invalid } = judging;
    if (invalid === undefined)
      return { outcome: withLogs(judgedOutcome(subject, verdicts, attempt.case), logs, judging.logs) };
    const failure = toFailure(invalid);
    return { outcome: failureOutcome(failure, subject.duration_ms), failure };
  }

  /** Runs a conversation; `ask` gets one answer of the agent, `simulate` replaces the agent that plays the user. */
  async converse(
    item: Item,
    ask: (messages: Message[], timeoutMs: number) => Promise<CheckedAnswer & { measuredMs: number }>,
    simulate?: AttemptJudging['simulate'],
  ): Promise<Assessed> {
    const { attempt } = item;
    const times = (item.times ??= this.#tapes?.times(attempt));
    const startedAt = performance.now();
    const elapsed = (): number => performance.now() - startedAt;
    const deadline = (item.startedAt ?? startedAt) + attempt.timeout_ms;
    const judging = this.#judging(item, deadline);
    if (simulate !== undefined) judging.simulate = simulate;
    const stopwatch = times?.stopwatch('conversation', elapsed) ?? elapsed;
    try {
      const { executeConversation } = await import('./conversation.ts');
      const outcome = await executeConversation(attempt, {
        judging,
        elapsed: stopwatch,
        note: (partial) => void (item.partial = partial),
        async ask(messages) {
          const answer = await ask(messages, Math.max(deadline - performance.now(), 1));
          if ('failure' in answer) throw new AgentCallError(answer.failure);
          const duration_ms = times?.time('turn', answer.measuredMs) ?? answer.measuredMs;
          return { transcript: answer.transcript, duration_ms };
        },
      });
      if (judging.invalid !== undefined) throw judging.invalid;
      return { outcome: withLogs(outcome, undefined, judging.logs) };
    } catch (error) {
      const failure = error instanceof AgentCallError ? error.failure : toFailure(judging.invalid ?? error);
      const total = performance.now() - (item.startedAt ?? startedAt);
      const duration = times?.time('attempt', total) ?? total;
      const outcome = { ...item.partial, ...failureOutcome(failure, duration) };
      return { outcome: withLogs(outcome, undefined, judging.logs), failure };
    }
  }

  /** What the judges of an attempt did on its tape. */
  async judgeTape({ sideTape }: Item, { status }: Outcome): Promise<TapeReport | undefined> {
    return sideTape === undefined ? undefined : this.#processes.user.endTape(sideTape.id, status);
  }

  close(): void {
    this.#closing.abort(new Error('the run is over'));
    this.#processes.user.close();
    this.#processes.builtIn.close();
  }

  #judging(item: Item, deadline: number): AttemptJudging {
    const { attempt } = item;
    const openTape = (): SideTape | undefined => {
      if (this.#tapes === undefined || attempt.tape === undefined) return undefined;
      const { tape, run, subject } = attempt;
      return (item.sideTape ??= { id: (this.#tapeCount += 1), tape, run, agent: subject.id });
    };
    const remainingMs = (): number => deadline - performance.now();
    return new AttemptJudging(attempt, this.#processes, {
      remainingMs,
      openTape,
      signal: this.#closing.signal,
    });
  }
}

function failureOutcome({ status, code, error, stack }: AgentFailure, ms: number): Outcome {
  const duration_ms = Math.round(ms);
  if (status === 'timeout') return { status, duration_ms, error };
  return { status, code: code ?? 'agent', duration_ms, error, ...(stack !== undefined && { stack }) };
}

function judgedOutcome(
  { transcript, duration_ms: ms }: Subject,
  verdicts: Verdict[],
  { pass_score }: TestCase,
): Outcome {
  const outcome: Outcome = { status: 'passed', duration_ms: Math.round(ms), ...transcript, verdicts };
  return Object.assign(outcome, summarizeVerdicts(verdicts, pass_score));
}

/** An error of this program or of a helper. */
function toFailure(error: unknown): AgentFailure {
  if (!(error instanceof AttemptError)) return { status: 'error', code: 'harness', error: messageOf(error) };
  const { code, message, retryAfterMs, isFinal } = error;
  return {
    status: 'error',
    code,
    error: message,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    ...(isFinal && { is_final: true }),
  };
}

function withLogs(outcome: Outcome, before: string[] = [], after: string[] = []): Outcome {
  if (before.length > 0 || after.length > 0) outcome.logs = [...before, ...(outcome.logs ?? []), ...after];
  return outcome;
}
