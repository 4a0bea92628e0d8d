// The course of one run, in a process or in a thread: its deadline, its answer, and what is still open afterwards.

import type { Answer, Message, Thrown } from './messages.ts';

/** What is known about a run so far. */
export type Course = {
  answer?: Answer;
  crashed?: Thrown;
  isDrained?: true;
  open?: string[];
  /** Why it was ended, if it did not end by itself. */
  endedFor?: 'abort' | 'deadline' | 'leak';
};

/** How a program or a thread ended. */
export type Ending = { code: number | null; signal: string | null };

const DEFAULT_TIMEOUT_MS = 30_000;
/** The runner says what is open long before this, unless it is stuck. */
const SILENT_MS = 3000;
/** How long one that has begun to end may take. */
const EXIT_MS = 5000;
/** Node takes longer ones for none at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type Supervised = {
  timeout: number | undefined;
  signal: AbortSignal | undefined;
  /** Ends the process or the thread. */
  end: () => void;
};

/** Watches a run; `release` when it has ended. */
export function supervise({ timeout, signal, end }: Supervised) {
  const course: Course = {};
  const endFor = (reason: NonNullable<Course['endedFor']>): void => {
    if (course.endedFor !== undefined) return;
    course.endedFor = reason;
    end();
  };
  const abort = (): void => endFor('abort');
  let timer = setTimeout(endFor, timeoutMs(timeout), 'deadline');
  const waitFor = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(endFor, ms, 'leak');
  };

  const receive = (message: Message): void => {
    if (course.endedFor !== undefined) return;
    switch (message.type) {
      case 'crashed':
        course.crashed = message.thrown;
        if (course.answer !== undefined) waitFor(EXIT_MS);
        break;
      case 'drained':
        course.isDrained = true;
        break;
      case 'exiting':
        waitFor(EXIT_MS);
        break;
      case 'printing':
        waitFor(SILENT_MS);
        break;
      case 'open':
        course.open = message.resources;
        endFor('leak');
        break;
      case 'returned':
      case 'thrown':
      case 'untestable':
        if (course.answer !== undefined) break;
        course.answer = message;
        waitFor(SILENT_MS);
    }
  };
  const release = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  return { course, receive, release };
}

/** A timeout that a timer can take. */
export function timeoutMs(timeout: number | undefined): number {
  if (typeof timeout !== 'number' || Number.isNaN(timeout) || timeout <= 0) return DEFAULT_TIMEOUT_MS;
  return Math.min(timeout, MAX_TIMER_MS);
}
