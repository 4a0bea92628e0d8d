// Supervises one run in a process or thread: its deadline, its answer, and resources left open afterwards.

import type { Answer, Message, Thrown } from './messages.ts';

/** The state of a run so far. */
export type RunState = {
  answer?: Answer;
  crashed?: Thrown;
  isDrained?: true;
  open?: string[];
  /** Why it was ended, if it did not exit by itself. */
  endedFor?: 'abort' | 'deadline' | 'leak';
};

/** How a program or a thread ended. */
export type Ending = { code: number | null; signal: string | null };

const DEFAULT_TIMEOUT_MS = 30_000;
/** Limit for the runner's report after the result; it comes much sooner unless the runner is stuck. */
const SILENT_MS = 3000;
/** How long an exit may take once it has begun. */
const EXIT_MS = 5000;
/** Node fires timers with a longer delay at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type SuperviseOptions = {
  timeout: number | undefined;
  signal: AbortSignal | undefined;
  /** Ends the process or the thread. */
  end: () => void;
};

/** Supervises a run; call `release` when it has ended. */
export function supervise({ timeout, signal, end }: SuperviseOptions) {
  const state: RunState = {};
  const endFor = (reason: NonNullable<RunState['endedFor']>): void => {
    if (state.endedFor !== undefined) return;
    state.endedFor = reason;
    end();
  };
  const abort = (): void => endFor('abort');
  let timer = setTimeout(endFor, timeoutMs(timeout), 'deadline');
  const waitFor = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(endFor, ms, 'leak');
  };

  const receive = (message: Message): void => {
    if (state.endedFor !== undefined) return;
    switch (message.type) {
      case 'crashed':
        state.crashed = message.thrown;
        if (state.answer !== undefined) waitFor(EXIT_MS);
        break;
      case 'drained':
        state.isDrained = true;
        break;
      case 'exiting':
        waitFor(EXIT_MS);
        break;
      case 'printing':
        waitFor(SILENT_MS);
        break;
      case 'open':
        state.open = message.resources;
        endFor('leak');
        break;
      case 'returned':
      case 'tested':
      case 'thrown':
      case 'untestable':
        if (state.answer !== undefined) break;
        state.answer = message;
        waitFor(SILENT_MS);
    }
  };
  const release = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  return { state, receive, release };
}

/** The timeout in the range of a timer. */
export function timeoutMs(timeout: number | undefined): number {
  if (typeof timeout !== 'number' || Number.isNaN(timeout) || timeout <= 0) return DEFAULT_TIMEOUT_MS;
  return Math.min(timeout, MAX_TIMER_MS);
}
