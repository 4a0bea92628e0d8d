// The outside world, as the entry point passes it to a command.

import type { PoolOptions, WorkerStarter } from '../execute/pool-options.ts';
import type { Sink } from '../model/sink.ts';

export type Io = {
  cwd: string;
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Aborts when the user wants to stop. */
  interrupt: AbortSignal;
  /** A worker process that was started while the program was loading. */
  worker?: WorkerStarter | undefined;
  version: string;
  /** The program that started the run with `evaluate`; undefined for a run of the command line. */
  caller?: Caller | undefined;
};

export type Caller = {
  /** Takes the events; nothing is shown. */
  sink: Sink;
  /** Told the path of the run log, if there is one. */
  opened(log: string): void;
  /** The program executes the attempts itself. */
  startWorker?: PoolOptions['startWorker'];
  /** The run is in the process of the program, which then belongs to the program: nothing about it is changed. */
  isHere: boolean;
};
