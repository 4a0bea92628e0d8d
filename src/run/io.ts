// The outside world, as the entry point passes it to a command.

import type { WorkerStarter } from '../execute/pool-options.ts';

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
};
