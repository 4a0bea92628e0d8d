// A run in the process of the program that asked for it: nothing is started unless a case needs it, nothing is contained.

import packageJson from '../../package.json' with { type: 'json' };
import { AttemptRunner } from '../kinds/agent/worker/attempt-runner.ts';
import { LocalWorker } from '../kinds/agent/local-worker.ts';
import type { Caller } from '../run/io.ts';
import type { RunEnd, RunRequest } from './evaluate.ts';
import { runFor } from './run-for.ts';

/** Runs it and gives the exit code; throws ConfigError. */
export async function runHere({ flags, cwd, agent, signal, onEvent, onNote }: RunRequest): Promise<RunEnd> {
  const env = process.env;
  const caller: Omit<Caller, 'opened'> = {
    isHere: true,
    sink: {
      write(batch) {
        for (const { event } of batch) onEvent(event);
      },
    },
    startWorker: (events) =>
      new LocalWorker(events, (receive) => {
        const runner = new AttemptRunner({ agent, env, send: receive });
        return { isHere: true, send: (message) => runner.receive(message), close: () => undefined };
      }),
  };
  return runFor(caller, {
    flags,
    io: { cwd, env, interrupt: signal ?? new AbortController().signal, version: packageJson.version, onNote },
  });
}
