// Handles stdout and stderr that are slow, closed by their reader, or on a full disk.

import { messageOf } from '../errors.ts';

type Stream = NodeJS.WriteStream;

export type StandardStreams = {
  /** True after a write failed for another reason than a closed reader. */
  hasFailed(): boolean;
  /** Resolves when all output is written, or can no longer be written. */
  drain(): Promise<void>;
};

/** Prevents stream errors from ending the program; reports a failing stdout once on stderr. */
export function guardStreams(stdout: Stream, stderr: Stream): StandardStreams {
  let hasFailed = false;
  const listen = (stream: Stream, tell: (error: Error) => void): void => {
    let isKnown = false;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that closes early (`| head`) is not an error.
      if (isKnown || error.code === 'EPIPE') return;
      isKnown = true;
      hasFailed = true;
      tell(error);
    });
  };
  listen(stdout, (error) => void stderr.write(`cannot write to stdout: ${messageOf(error)}\n`));
  listen(stderr, () => undefined);
  return {
    hasFailed: () => hasFailed,
    async drain() {
      await drained(stdout);
      await drained(stderr);
      // The error event of a write comes after the write returned.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** True for a failed write. */
export function isWriteFailure(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'syscall' in cause && cause.syscall === 'write';
}

function drained(stream: Stream): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.once('close', () => resolve());
    stream.write('', () => resolve());
  });
}
