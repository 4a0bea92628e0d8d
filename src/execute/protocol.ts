// What coordinator and worker say to each other: JSON lines on file descriptor 3.

import type { Attempt } from '../model/attempt.ts';
import type { ContextData } from '../model/context.ts';
import type { Outcome } from '../model/outcome.ts';
import { parse } from './intrinsics.ts';

/** What the attempts of an input have in common; sent once, then named by its number. */
export type SharedPart = Pick<
  Attempt,
  'agent' | 'base' | 'context' | 'kind' | 'root' | 'test_id' | 'timeout_ms'
>;

/** An attempt on its way to a worker: what differs from the shared part. */
export type SentAttempt = Omit<Attempt, keyof SharedPart | 'line'> & {
  seq: number;
  shared: number;
  context?: Partial<ContextData>;
  timeout_ms?: number;
};

/** An attempt as a worker executes it. */
export type ReceivedAttempt = Attempt & { seq: number };

export type ToWorker =
  | { type: 'shared'; shared: number; part: SharedPart }
  | { type: 'run'; concurrency: number; attempts: SentAttempt[] }
  | { type: 'enter'; cwd: string; env: Record<string, string> }
  | { type: 'evaluate'; file: string; root: string }
  /** Forget what has not started; answered by `dropped`. */
  | { type: 'drop' }
  | { type: 'ping' };

/** An outcome with what only the scheduler needs to know. */
export type SettledAttempt = { seq: number; outcome: Outcome; retry_after_ms?: number; is_final?: true };

export type FromWorker =
  | { type: 'ready' }
  /** `stuck`: attempts that were given up but whose code is still running in there. */
  | { type: 'settled'; settled: SettledAttempt[]; stuck: number }
  | { type: 'dropped'; seqs: number[] }
  | { type: 'evaluated'; value?: unknown; error?: string }
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
