// What assertions and simulated users need besides the answer: other agents, scripts, embeddings and unbounded judgements, each in a
// process that has never loaded the agent's code.

import { basename } from 'node:path';
import type { FinishedCheck } from '../../../agents/command/run-check.ts';
import { bundleHashes } from '../../../compile/noted-bundles.ts';
import { AttemptError } from '../../../errors.ts';
import type { FunctionCall, SideCall, SideTape } from '../../../execute/process/protocol.ts';
import type { SideCallSetting } from '../../../execute/side-call-process.ts';
import { SideCallError, SideCalls } from '../../../execute/side-calls.ts';
import type { Ask, Embed, Judgement, JudgeDeps, Subject } from '../../../judge/assertion.ts';
import { isObject } from '../../../json/is-object.ts';
import type { Transcript } from '../../../model/agent.ts';
import type { AnswerValues } from '../../../model/answer-values.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { Assertion } from '../../../model/case.ts';
import type { Evaluated } from '../../../scripts/expressions/evaluate.ts';
import { timeoutText } from '../../../text/duration.ts';

/** A built-in judgement has at least this long, however long the agent took. */
const BUILT_IN_MS = 10_000;
/** The name of the judge that an assertion with only a connector uses. */
const BUILT_IN_JUDGE = 'assay.judge';

/** The processes that judge. Each is started when it is needed for the first time. */
export type JudgingProcesses = {
  /** Runs code of users: scripts, judging agents, simulated users. */
  user: SideCalls;
  /** Runs built-in assertions and nothing else. */
  builtIn: SideCalls;
};

export function openJudgingProcesses(options: SideCallSetting): JudgingProcesses {
  const setting = { ...options, bundles: bundleHashes };
  return { user: new SideCalls(setting), builtIn: new SideCalls({ ...setting, tapes: undefined }) };
}

type JudgingOptions = {
  /** Until the deadline of the attempt. */
  remainingMs: () => number;
  /** The tape of the attempt, if it has one; called when code of users is asked. */
  openTape: () => SideTape | undefined;
  signal: AbortSignal;
};

/** How many attempts were judged. */
let sessions = 0;

/** Judges one attempt. */
export class AttemptJudging implements JudgeDeps {
  /** Output of scripts and judges. */
  readonly logs: string[] = [];
  /** A call that a replay has no recording of; it decides the outcome. */
  invalid: AttemptError | undefined;
  readonly #session = (sessions += 1);
  readonly #attempt: Attempt;
  readonly #processes: JudgingProcesses;
  readonly #options: JudgingOptions;

  constructor(attempt: Attempt, processes: JudgingProcesses, options: JudgingOptions) {
    this.#attempt = attempt;
    this.#processes = processes;
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#options.signal;
  }

  async ask(...[who, request]: Parameters<Ask>): Promise<Transcript> {
    const judge = `the judge ${who.use?.replace(/^agents[:.]/, '') ?? BUILT_IN_JUDGE}`;
    const { context } = this.#attempt;
    // The process answers with the transcript of the agent.
    return (await this.#call(judge, {
      type: 'consult',
      session: this.#session,
      who,
      ...request,
      context,
    })) as Transcript;
  }

  /** Asks the simulated user; its failures say nothing about the agent. */
  async simulate(use: string, request: Parameters<Ask>[1]): Promise<Transcript> {
    const { context } = this.#attempt;
    const call: UserCall = { type: 'consult', session: this.#session, who: { use }, ...request, context };
    // The process answers with the transcript of the agent.
    return (await this.#call(`the simulator ${use}`, call, 'harness')) as Transcript;
  }

  async embed(connector: string, texts: string[]): ReturnType<Embed> {
    const answer = await this.#call(`connector "${connector}"`, { type: 'embed', connector, texts });
    // The process answers with vectors and what they cost.
    return answer as Awaited<ReturnType<Embed>>;
  }

  callScript(reference: string, args: unknown[]): Promise<unknown> {
    const { base } = this.#attempt;
    const context = this.#judgingContext();
    return this.#call(reference, {
      type: 'call',
      reference,
      ...withMissing(args),
      context_at: 'end',
      context,
      folder: base,
    });
  }

  /** Code that judges knows the variables of the case, which the agent must not see. */
  #judgingContext(): Attempt['context'] {
    const { case: testCase, context } = this.#attempt;
    if (testCase.vars === undefined) return context;
    return { ...context, variables: { ...context.variables, ...testCase.vars } };
  }

  /** The `transform` of the case. */
  get transform(): string | undefined {
    return this.#attempt.case.transform;
  }

  async evaluate(code: string, values: AnswerValues, name: string): Promise<Evaluated> {
    try {
      const evaluated = await this.#call(name, { type: 'evaluate', code, values });
      // Its value can be anything; the caller checks it.
      return isObject(evaluated) ? evaluated : {};
    } catch (error) {
      throw error instanceof SideCallError
        ? new Error(`${name} failed: ${error.message}`, { cause: error })
        : error;
    }
  }

  async runCheck(command: readonly string[], values: AnswerValues): Promise<FinishedCheck> {
    const { base: cwd } = this.#attempt;
    const finished = await this.#call(basename(command[0] ?? ''), { type: 'check', command, cwd, values });
    // The process answers with how the program ended.
    return finished as FinishedCheck;
  }

  async judgeApart(assertion: Assertion, subject: Subject): Promise<Judgement> {
    const { root } = this.#attempt;
    const timeout_ms = Math.max(this.#options.remainingMs(), BUILT_IN_MS);
    try {
      const { value } = await this.#processes.builtIn.run({
        type: 'judge',
        assertion,
        subject,
        root,
        timeout_ms,
      });
      // The process runs only code of this program.
      return value as Judgement;
    } catch (error) {
      const isLost = error instanceof SideCallError && (error.isLate || error.isCrash);
      if (!isLost) throw error;
      throw new AttemptError('judge', `"${assertion.type}" cannot be judged: it ${error.message}`);
    }
  }

  /** Calls code of users; throws AttemptError, or the error that the code threw. */
  async #call(who: string, call: UserCall, lostCode: 'harness' | 'judge' = 'judge'): Promise<unknown> {
    const timeout_ms = Math.max(Math.ceil(this.#options.remainingMs()), 1);
    const tape = this.#options.openTape();
    const { root } = this.#attempt;
    try {
      const { value, logs } = await this.#processes.user.run({
        ...call,
        root,
        timeout_ms,
        ...(tape && { tape }),
      });
      this.logs.push(...logs);
      return value;
    } catch (error) {
      if (!(error instanceof SideCallError)) throw error;
      this.logs.push(...error.logs);
      throw this.#attemptError(error, who, lostCode);
    }
  }

  #attemptError(error: SideCallError, who: string, lostCode: 'harness' | 'judge'): Error {
    const { failure, isCrash, isLate, message } = error;
    if (isLate) {
      const reason = message.replace(/^timed out after \S+(?:: )?/, '') || `${who} has not answered`;
      const late = timeoutText(this.#attempt.timeout_ms);
      return new AttemptError(lostCode, `${reason} (still waiting at the ${late})`, { isFinal: true });
    }
    if (isCrash) return new AttemptError(lostCode, `${who} has not answered: ${message}`);
    if (failure === undefined) return error;
    const { code, retry_after_ms: retryAfterMs, is_final: isFinal = false } = failure;
    const known = new AttemptError(code, message, { retryAfterMs, isFinal });
    if (code === 'replay') this.invalid ??= known;
    return known;
  }
}

/** JSON has no undefined, and a script may check for it. */
function withMissing(args: unknown[]): Pick<FunctionCall, 'args' | 'missing'> {
  const missing = [...args.keys()].filter((index) => args[index] === undefined);
  return missing.length === 0 ? { args } : { args, missing };
}

type CallOf<Type extends SideCall['type']> = Omit<
  Extract<SideCall, { type: Type }>,
  'root' | 'tape' | 'timeout_ms'
>;

type UserCall = CallOf<'call'> | CallOf<'check'> | CallOf<'consult'> | CallOf<'embed'> | CallOf<'evaluate'>;
