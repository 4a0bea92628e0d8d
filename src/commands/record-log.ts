// Starts the thread that records a run, and waits for it.

import { Worker } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import { formatDuration } from '../platform/duration.ts';

/** What is recorded where. */
export type RecordOrder = {
  place: string;
  log: string;
  /** The application, if its own history is meant: then runs that wait there are taken in as well. */
  root?: string;
};

export type RecordThread = {
  /** The log is complete: waits until it is in the history, at most so long, and gives why it is not. */
  end(limitMs: number): Promise<string | undefined>;
};

/** Rows die young; room for them costs memory and saves no time. */
const MEMORY = { maxYoungGenerationSizeMb: 8 };
const FILE = new URL('./record-thread.js', import.meta.url);

/** Records a log that still grows. Nothing keeps the program from ending meanwhile. */
export function recordLog(order: RecordOrder): RecordThread {
  const worker = new Worker(FILE, { workerData: order, resourceLimits: MEMORY });
  worker.unref();
  const recorded = new Promise<string | undefined>((done) => {
    worker.on('message', (why: string | null) => done(why ?? undefined));
    worker.on('error', (error) => done(messageOf(error)));
    worker.on('exit', () => done('its thread has ended'));
  });
  return {
    async end(limitMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<string>((done) => {
        timer = setTimeout(
          () => done(`it did not take everything within ${formatDuration(limitMs)}`),
          limitMs,
        );
      });
      worker.postMessage('end', []);
      try {
        return await Promise.race([recorded, late]);
      } finally {
        clearTimeout(timer);
        void worker.terminate();
      }
    },
  };
}
