// Starts a worker process while the rest of the program is still loading.

import type { WorkerStarter } from '../pool-options.ts';
import type { FromWorker } from './protocol.ts';
import type { WorkerEvents, WorkerRole } from './worker-process.ts';
import { WorkerProcess } from './worker-process.ts';

/** Starts a worker now; keeps its messages for the pool that attaches later. */
export function startEarly(role: WorkerRole): WorkerStarter {
  let listener: WorkerEvents | undefined;
  const missed: FromWorker[] = [];
  let ended: string | undefined;
  const worker = new WorkerProcess(
    {
      message(self, message) {
        if (listener === undefined) missed.push(message);
        else listener.message(self, message);
      },
      exit(self, how) {
        ended = how;
        listener?.exit(self, how);
      },
    },
    role,
  );
  return {
    role,
    attach(events) {
      if (ended !== undefined) return new WorkerProcess(events, role);
      listener = events;
      for (const message of missed) events.message(worker, message);
      return worker;
    },
  };
}
