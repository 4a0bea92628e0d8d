// The messages between coordinator and worker: JSON lines on file descriptor 3.

import type { Problem } from '../../errors.ts';
import type { TapeReport } from '../../tapes/attempt-tape.ts';
import type { TapeSettings } from '../../tapes/worker-tapes.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { Transcript } from '../../model/agent.ts';
import type { Assertion, CaseInput, Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import type { ErrorCode, Outcome, Status } from '../../model/outcome.ts';
import type { AgentSubject, Subject } from '../../model/subject.ts';
import type { AnswerValues } from '../../model/answer-values.ts';
import { parse } from './intrinsics.ts';

/** The part that all attempts of an input share; sent once, then referred to by its number. */
export type SharedPart<Tested extends Subject = Subject> = Pick<
  Attempt<Tested>,
  'base' | 'context' | 'root' | 'subject' | 'test_id' | 'timeout_ms'
>;

/** An attempt on its way to a worker: what differs from the shared part. */
export type SentAttempt = Omit<Attempt, keyof SharedPart | 'case_sha' | 'line' | 'variables'> & {
  seq: number;
  shared: number;
  context?: Partial<ContextData>;
  timeout_ms?: number;
  /** The coordinator asks for every turn. */
  is_conversation?: true;
  /** The input comes with `go`, when the agent is prepared. */
  is_deferred?: true;
};

/** An attempt as a worker executes it. Its case has no expected values and assertions, unless a `before` hook gets it. */
export type ReceivedAttempt = Attempt<AgentSubject> & {
  seq: number;
  is_conversation?: true;
  is_deferred?: true;
};

/** Calls a function of the user by name, outside of any attempt. */
export type FunctionCall = {
  type: 'call';
  /** `scripts.…`, `agents.…`, `<module>.<Function>` below the `src/` of `folder`, or `<file>.py:<function>`. */
  reference: string;
  args: unknown[];
  /** The positions of arguments that are undefined. */
  missing?: number[];
  /** Hooks take the context before their arguments, scripts after them. */
  context_at: 'start' | 'end';
  context: ContextData;
  root: string;
  folder?: string;
  timeout_ms: number;
};

/** Asks an agent, outside of any attempt. */
export type AgentQuestion = {
  type: 'ask';
  agent: AgentDefinition;
  messages: Message[];
  /** Gives the whole transcript instead of the answer. */
  isWhole?: true;
  context: ContextData;
  root: string;
  timeout_ms: number;
};

/** Asks an agent by its name, or the built-in judge of a connector, on behalf of an attempt. */
export type Consultation = {
  type: 'consult';
  /** All questions with the same number belong to one attempt; without it, to none. */
  session?: number;
  who: { use?: string | undefined; connector?: string | undefined };
  input: unknown;
  metadata?: Record<string, unknown>;
  options?: Record<string, unknown>;
  context: ContextData;
  root: string;
  timeout_ms: number;
};

/** Embeds texts with the model of a connector. */
type Embedding = {
  type: 'embed';
  connector: string;
  texts: string[];
  root: string;
  timeout_ms: number;
};

/** Judges by a built-in assertion whose time is not bounded. */
type BuiltInJudgement = {
  type: 'judge';
  assertion: Assertion;
  subject: {
    output: unknown;
    input: CaseInput;
    expected?: unknown;
    transcript: Transcript;
    duration_ms: number;
  };
  root: string;
  timeout_ms: number;
};

/** Evaluates an expression of the user. */
type Evaluation = {
  type: 'evaluate';
  code: string;
  values: AnswerValues;
  root: string;
  timeout_ms: number;
};

/** Runs a program of the user that judges. */
type Check = {
  type: 'check';
  command: readonly string[];
  cwd: string;
  values: AnswerValues;
  root: string;
  timeout_ms: number;
};

/** The attempt whose tape records or replays the traffic of a side call. */
export type SideTape = { id: number; tape: string; run: number; agent: string };

/** Imports a module and gives the cases of its default export. */
export type CaseLoading = { type: 'load-cases'; file: string; root: string; timeout_ms: number };

export type SideCall = (
  | FunctionCall
  | AgentQuestion
  | CaseLoading
  | Consultation
  | Embedding
  | BuiltInJudgement
  | Evaluation
  | Check
) & {
  tape?: SideTape;
};

export type ToWorker =
  | { type: 'shared'; shared: number; part: SharedPart }
  /** `isWhole`: no more tests of this file will come. */
  | { type: 'run'; concurrency: number; attempts: SentAttempt[]; isWhole?: boolean }
  /** Comes first; `retries`: further tries of a model call; `coverage`: the folder that it is written to; `tapes`: traffic is recorded or played. */
  | {
      type: 'enter';
      cwd: string;
      env: Record<string, string>;
      retries: number;
      /** Script workers put it into every message and sign their recovery file with it. */
      token?: string;
      coverage?: string;
      tapes?: TapeSettings;
      /** The hashes of compiled scripts by their manifests; one with another hash is compiled again. */
      bundles?: Record<string, string>;
    }
  | { type: 'evaluate'; file: string; root: string }
  /** The worker has said `prepared`: the agent gets the input of the case now. */
  | { type: 'go'; seq: number; input: CaseInput }
  /** The next turn of a conversation, with all messages so far; answered by `answered`. */
  | { type: 'turn'; seq: number; messages: Message[]; timeout_ms: number }
  /** The conversation is over; answered by `ended`. */
  | { type: 'end'; seq: number; status: Status }
  /** Answered by `done`. */
  | { type: 'side-call'; id: number; call: SideCall }
  /** The attempt with this tape makes no more side calls; answered by `taped`. */
  | { type: 'end-tape'; id: number; status: Status }
  /** Forget what has not started; answered by `dropped`. */
  | { type: 'drop' }
  | { type: 'ping' };

/** How a call of the agent failed. */
export type AgentFailure = {
  status: 'error' | 'timeout';
  code?: ErrorCode;
  error: string;
  stack?: string;
  /** The service asked for this pause before another try. */
  retry_after_ms?: number;
  /** Another try cannot help. */
  is_final?: true;
  /** The agent cannot be tested at all, because it is set up wrongly. */
  problem?: Problem;
};

/**
 * The end of one call of the agent. The agent's code runs where it comes from, so the coordinator believes nothing in it
 * but what the agent itself may decide: its answer.
 */
export type Answer = {
  seq: number;
  transcript?: Transcript;
  failure?: AgentFailure;
  /** By the clock of the worker. */
  took_ms: number;
  logs?: string[];
  tape?: TapeReport;
};

/** The end of a conversation: everything that is known only then. */
export type EndedConversation = Pick<Answer, 'logs' | 'seq' | 'tape'>;

export type SettledAttempt = { seq: number; outcome: Outcome };

/** File descriptors of a worker: the channel to the coordinator, and the recovery file that the coordinator reads after the worker's end. */
export const CHANNEL_FD = 3;
export const RECOVERY_FD = 4;

/**
 * A worker for agents writes the number of the attempt that began last into its recovery file, as a double, followed by the
 * helpers that attempts wait for. A script worker writes signed lines of JSON: the tests that began, outcomes that are not sent, and
 * the output of tests. This character ends them.
 */
export const RECORD_END = '\0';

export type Recorded = SettledAttempt | { begun: number; isClosing?: boolean } | { seq: number; log: string };

/** The content of a script worker's recovery file. */
export type Recovery = {
  /** The number of the test that it had begun last. */
  begun: number;
  /** The output of the test that had begun, as far as it was kept. */
  logs: string[];
  /** Outcomes that were not sent yet. */
  settled: SettledAttempt[];
  /** All tests of the file are over, and it is tearing down. */
  isClosing: boolean;
};

/** The end of a side call: its value, or the error that it failed with. */
export type SideCallDone = {
  type: 'done';
  id: number;
  value?: unknown;
  error?: string;
  failure?: Pick<AgentFailure, 'is_final' | 'retry_after_ms'> & { code: ErrorCode };
  /** Its time was over. */
  is_late?: true;
  logs?: string[];
};

export type FromWorker =
  | { type: 'ready' }
  /** `stuck`: attempts that were given up but whose code is still running in there. */
  | { type: 'answered'; answers: Answer[]; stuck: number }
  /** Outcomes of script tests. */
  | { type: 'settled'; settled: SettledAttempt[]; stuck: number }
  /** Everything that comes before the agent gets its input is done. */
  | { type: 'prepared'; seq: number }
  | ({ type: 'ended' } & EndedConversation)
  | { type: 'taped'; id: number; report: TapeReport }
  | { type: 'dropped'; seqs: number[] }
  | { type: 'evaluated'; value?: unknown; error?: string }
  /** The value that the `before` hook of an attempt returned; its `after` hook gets it even if this process is killed. */
  | { type: 'before'; seq: number; data: unknown }
  | SideCallDone
  /** Secrets to mask; always sent before anything that may contain them. */
  | { type: 'secrets'; secrets: string[] }
  /** Something was asked for after its attempt was over. */
  | { type: 'late'; name: string }
  /** The file of tests that it had is torn down, and it can take another. */
  | {
      type: 'closed';
      /** The worker takes no other file: code of this file still runs in it. */ isSpent?: true;
    }
  /** Something went on that settles nothing. */
  | { type: 'progress' }
  /** The running test makes progress, although nothing is settled: the worker is not hung. */
  | { type: 'more' }
  /** `load`: how busy its event loop was since the last answer, 0 to 1. */
  | { type: 'pong'; load: number };

/** No message is longer: what an attempt may say is bounded, and large answers travel alone. */
export const MAX_LINE = 128 * 1024 * 1024;

/**
 * Splits a stream of text into lines and gives each parsed line to `receive`. A line that is no message is not from this
 * program: user code has written to the channel, and nothing on it can be trusted any more.
 */
export function createLineParser<T>(
  receive: (message: T) => void,
  broken: () => void,
): (chunk: string) => void {
  let rest: string[] = [];
  let length = 0;
  return (chunk) => {
    const end = chunk.lastIndexOf('\n');
    length = end === -1 ? length + chunk.length : chunk.length - end - 1;
    if (length > MAX_LINE) {
      rest = [];
      return broken();
    }
    if (end === -1) {
      rest.push(chunk);
      return;
    }
    const lines = (rest.join('') + chunk.slice(0, end)).split('\n');
    rest = [chunk.slice(end + 1)];
    for (const line of lines) {
      const message = parseMessage<T>(line);
      if (message === undefined) return broken();
      receive(message);
    }
  };
}

function parseMessage<T>(line: string): T | undefined {
  try {
    const message: unknown = parse(line);
    // Both ends are this program, so the shape behind `type` is trusted.
    return typeof message === 'object' && message !== null && 'type' in message ? (message as T) : undefined;
  } catch {
    return undefined;
  }
}
