// In a worker: one call in, its end out, whatever happens; never throws and never takes longer than its deadline.

import type { AgentDeps, Directory } from '../../../agents/adapter.ts';
import { AttemptError, ConfigError, describeProblem, messageOf } from '../../../errors.ts';
import { raceSignal } from '../../../platform/race.ts';
import { readPythonReference } from '../../../scripts/python-reference.ts';
import { withTape } from '../../../platform/tape-scope.ts';
import type { AttemptTape } from '../../../tapes/attempt-tape.ts';
import { boundedText } from '../../../text/bounded-text.ts';
import { formatGoDuration } from '../../../text/duration.ts';
import { attemptScope, LogBuffer } from '../../../execute/worker/capture.ts';
import { clearTimeout, setTimeout } from '../../../execute/process/intrinsics.ts';
import type { SideCall, SideCallDone } from '../../../execute/process/protocol.ts';
import { toJsonValue } from '../../../execute/worker/json-value.ts';

/** Dependencies that all side calls of a worker share, and the tape of the attempt that makes the call. */
export type SideCallDeps = { directory: Directory; retries: number; tape?: AttemptTape | undefined };

type CallDeps = AgentDeps & { directory: Directory };

/** A side call that is under way. */
export class RunningSideCall {
  /** Below zero, so that it is never taken for an attempt. */
  readonly seq: number;
  readonly logs = new LogBuffer();
  #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #waitingFor: AttemptError[] = [];
  #id: number;
  #done: (done: SideCallDone) => void;
  #isOver = false;

  /** `done` is called once. */
  constructor(id: number, done: (done: SideCallDone) => void) {
    this.seq = -id;
    this.#id = id;
    this.#done = done;
  }

  begin(call: SideCall, { tape, ...shared }: SideCallDeps): void {
    this.#timer = setTimeout(() => this.#expire(call.timeout_ms), call.timeout_ms);
    const { signal } = this.#controller;
    const deps: CallDeps = {
      ...shared,
      env: process.env,
      fetch: globalThis.fetch,
      signal,
      waiting: (reason) => this.#waiting(reason),
    };
    const run = async (): Promise<void> => {
      try {
        const value = await raceSignal(makeCall(call, deps), signal);
        // A request without its recording makes the replay invalid, even if the caller handled the error.
        if (tape?.problem !== undefined) throw tape.problem;
        const json = toJsonValue(value);
        tape?.tell(json);
        this.#end({ value: json });
      } catch (error) {
        tape?.tell(messageOf(error));
        this.fail(tape?.problem ?? error);
      }
    };
    attemptScope.run(this, () => void withTape(tape, run));
  }

  /** Ends it, from inside or because of an uncaught exception that belongs to it. */
  fail(error: unknown, isLate = false): void {
    const text = error instanceof ConfigError ? describeProblem(error) : messageOf(error);
    const failure = error instanceof AttemptError ? failureOf(error) : undefined;
    this.#end({
      error: boundedText(text),
      ...(failure !== undefined && { failure }),
      ...(isLate && { is_late: true }),
    });
  }

  #expire(timeoutMs: number): void {
    const late = `timed out after ${formatGoDuration(timeoutMs)}`;
    // Such as a rate limit.
    const reason = this.#waitingFor.at(-1);
    const error = new Error(reason === undefined ? late : `${late}: ${reason.message}`);
    this.fail(error, true);
    this.#controller.abort(error);
  }

  #waiting(reason: AttemptError): () => void {
    this.#waitingFor.push(reason);
    return () => {
      this.#waitingFor = this.#waitingFor.filter((other) => other !== reason);
    };
  }

  #end(end: Pick<SideCallDone, 'error' | 'failure' | 'is_late' | 'value'>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    const logs = this.logs.lines();
    this.#done({ type: 'done', id: this.#id, ...end, ...(logs !== undefined && { logs }) });
  }
}

function failureOf({ code, retryAfterMs, isFinal }: AttemptError): SideCallDone['failure'] {
  return {
    code,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    ...(isFinal && { is_final: true }),
  };
}

/** Everything is loaded with the first call that needs it. */
async function makeCall(call: SideCall, deps: CallDeps): Promise<unknown> {
  const { root } = call;
  switch (call.type) {
    case 'call': {
      const python = readPythonReference(call.reference);
      if (python !== undefined) {
        const { callPython } = await import('../../../scripts/python/call-python.ts');
        return callPython(python, call.args, { ...call, env: deps.env, signal: deps.signal });
      }
      const { callFunction } = await import('../../../scripts/call-function.ts');
      const { context, context_at, folder, missing = [] } = call;
      const args = call.args.map((value, index) => (missing.includes(index) ? undefined : value));
      const makeArgs = (ctx: unknown): unknown[] =>
        context_at === 'start' ? [ctx, ...args] : [...args, ctx];
      return callFunction(call.reference, makeArgs, { root, folder, context, signal: deps.signal });
    }
    case 'ask': {
      const { openAgent } = await import('../../../agents/registry.ts');
      const agent = await openAgent(call.agent, { root, directory: deps.directory });
      const transcript = await agent.run(call.messages, call.context, deps);
      if (call.isWhole !== true) return transcript.output;
      return (await import('./plain-transcript.ts')).plainTranscript(transcript);
    }
    case 'load-cases':
      return (await import('../cases/load-cases.ts')).loadCases(call.file, root, deps.signal);
    case 'consult':
      return (await import('./consult.ts')).consult(call, deps);
    case 'embed': {
      const { embed } = await import('../../../connectors/embed.ts');
      const connector = await deps.directory.connector(call.connector);
      const log = (line: string): void => console.log(line);
      const { retries = 0, signal, waiting } = deps;
      return embed(connector, call.texts, { root, signal, retries, log, ...(waiting && { waiting }) });
    }
    case 'evaluate': {
      const { evaluate } = await import('../../../scripts/expressions/evaluate.ts');
      return evaluate(call.code, call.values, { timeoutMs: call.timeout_ms });
    }
    case 'check': {
      const { runCheck } = await import('../../../agents/command/run-check.ts');
      const { command, cwd, values } = call;
      const { env, signal } = deps;
      return runCheck(command, { cwd, env, input: values, signal, log: (line) => console.log(line) });
    }
    case 'judge':
      return (await import('../../../judge/judge-apart.ts')).judgeApart(call.assertion, call.subject);
  }
}
