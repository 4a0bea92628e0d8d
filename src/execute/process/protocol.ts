// The messages between coordinator and worker: JSON lines on file descriptor 3.

import type { TapeReport } from '../../tapes/attempt-tape.ts';
import type { TapeSettings } from '../../tapes/worker-tapes.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import type { Attempt } from '../../model/attempt.ts';
import type { Message } from '../../model/case.ts';
import type { ContextData } from '../../model/context.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { AgentSubject, Subject } from '../../model/subject.ts';
import { parse } from './intrinsics.ts';

/** The part that all attempts of an input share; sent once, then referred to by its number. */
export type SharedPart<Tested extends Subject = Subject> = Pick<
  Attempt<Tested>,
  'base' | 'context' | 'root' | 'subject' | 'test_id' | 'timeout_ms'
>;

/** An attempt on its way to a worker: what differs from the shared part. */
export type SentAttempt = Omit<Attempt, keyof SharedPart | 'line' | 'variables'> & {
  seq: number;
  shared: number;
  context?: Partial<ContextData>;
  timeout_ms?: number;
};

/** An attempt as a worker executes it. */
export type ReceivedAttempt = Attempt<AgentSubject> & { seq: number };

/** Calls a function of the user by name, outside of any attempt. */
export type FunctionCall = {
  type: 'call';
  /** `scripts.…`, `agents.…`, or `<module>.<Function>` below the `src/` of `folder`. */
  reference: string;
  args: unknown[];
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
  context: ContextData;
  root: string;
  timeout_ms: number;
};

export type SideCall = FunctionCall | AgentQuestion;

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
      coverage?: string;
      tapes?: TapeSettings;
    }
  | { type: 'evaluate'; file: string; root: string }
  /** Answered by `done`. */
  | { type: 'side-call'; id: number; call: SideCall }
  /** Forget what has not started; answered by `dropped`. */
  | { type: 'drop' }
  | { type: 'ping' };

/** An outcome with what only the scheduler needs to know. */
export type SettledAttempt = {
  seq: number;
  outcome: Outcome;
  retry_after_ms?: number;
  is_final?: true;
  /** The report of its tape, if it has one, and the time it took here: a replayed outcome has recorded times. */
  tape?: TapeReport;
  took_ms?: number;
};

/** File descriptors of a worker: the channel to the coordinator, and the recovery file that the coordinator reads after the worker's end. */
export const CHANNEL_FD = 3;
export const RECOVERY_FD = 4;

/**
 * A worker for agents writes the number of the attempt that began last into its recovery file, as a double, followed by the
 * helpers that attempts wait for. A script worker writes lines of JSON: the tests that began, outcomes that are not sent, and
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
export type SideCallDone = { type: 'done'; id: number; value?: unknown; error?: string; logs?: string[] };

export type FromWorker =
  | { type: 'ready' }
  /** `stuck`: attempts that were given up but whose code is still running in there. */
  | { type: 'settled'; settled: SettledAttempt[]; stuck: number }
  | { type: 'dropped'; seqs: number[] }
  | { type: 'evaluated'; value?: unknown; error?: string }
  /** The value that the `before` hook of an attempt returned; its `after` hook gets it even if this process is killed. */
  | { type: 'before'; seq: number; data: unknown }
  /** How far an attempt has come, in case this process does not live to tell its end. */
  | { type: 'note'; seq: number; partial: Partial<Outcome> }
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

/**
 * Splits a stream of text into lines and gives each parsed line to `receive`. A line that is no message is not from this
 * program: user code has written to the channel, and nothing on it can be trusted any more.
 */
export function createLineParser<T>(
  receive: (message: T) => void,
  broken: () => void,
): (chunk: string) => void {
  let rest: string[] = [];
  return (chunk) => {
    const end = chunk.lastIndexOf('\n');
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
