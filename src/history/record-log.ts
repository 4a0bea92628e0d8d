// Starts the process that records a run, and waits for it.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../errors.ts';
import { withoutDebugger } from '../platform/processes/debugger.ts';
import { formatDuration } from '../text/duration.ts';

/** The log to record, and the store to write to. */
export type RecordOrder = {
  place: string;
  /** Undefined if the run is only removed. */
  log?: string;
  /** The run to remove first, because it was recorded from another log. */
  replaces?: string;
  /** The application root, if `place` is its own history: then its pending runs are imported as well. */
  root?: string;
};

export type RecordProcess = {
  /** The log is complete: waits until it is in the history, at most so long, and gives why it is not. */
  end(limitMs: number, interrupt: AbortSignal): Promise<string | undefined>;
  /** Ends it as it is: the run is imported later. */
  stop(): void;
};

/** Rows are garbage soon, so a large young generation only costs memory. */
const MEMORY = ['--max-semi-space-size=2'];
const FILE = fileURLToPath(new URL('./record-process.js', import.meta.url));
/** How long a history may still take after Ctrl-C. */
const INTERRUPTED_MS = 2000;

/** Records a growing log in a separate process, which can be killed even while it waits for the database. It does not keep this process alive. */
export function recordLog(order: RecordOrder): RecordProcess {
  const child = fork(FILE, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [...MEMORY, ...withoutDebugger()],
  });
  child.unref();
  child.channel?.unref();
  const recorded = new Promise<string | undefined>((done) => {
    child.on('message', (answer: { why: string | null }) => done(answer.why ?? undefined));
    child.on('error', (error) => done(messageOf(error)));
    child.on('exit', () => done('its process has ended'));
  });
  const tell = (message: RecordOrder | 'end'): void => {
    // If the process is gone, its exit event says so.
    if (child.connected) child.send(message, () => undefined);
  };
  tell(order);
  return {
    async end(limitMs, interrupt) {
      let timer: NodeJS.Timeout | undefined;
      let stop: (() => void) | undefined;
      const late = new Promise<string>((done) => {
        const wait = (ms: number): void => {
          clearTimeout(timer);
          timer = setTimeout(() => done(`it did not take everything within ${formatDuration(ms)}`), ms);
        };
        stop = () => wait(INTERRUPTED_MS);
        wait(interrupt.aborted ? INTERRUPTED_MS : limitMs);
      });
      if (stop !== undefined) interrupt.addEventListener('abort', stop, { once: true });
      child.ref();
      child.channel?.ref();
      tell('end');
      try {
        return await Promise.race([recorded, late]);
      } finally {
        clearTimeout(timer);
        if (stop !== undefined) interrupt.removeEventListener('abort', stop);
        child.kill('SIGKILL');
        child.unref();
        child.channel?.unref();
      }
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
