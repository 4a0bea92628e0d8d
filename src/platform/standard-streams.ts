// stdout and stderr as they really are: slow, closed by their reader, or on a full disk.

import { messageOf } from '../errors.ts';

type Stream = NodeJS.WriteStream;

export type StandardStreams = {
  /** True once something could not be written, other than because the reader has left. */
  hasFailed(): boolean;
  /** Resolves when everything is with its reader, or can no longer get there. */
  drain(): Promise<void>;
};

/** Keeps a stream that fails from ending the program; a failing stdout is told once on stderr. */
export function guardStreams(stdout: Stream, stderr: Stream): StandardStreams {
  let hasFailed = false;
  const listen = (stream: Stream, tell: (error: Error) => void): void => {
    let isKnown = false;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough (`| head`) is no error.
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
      // The error of a write is emitted a little after the write has returned.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** True for the failure of a write; one to stdout needs no further words. */
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
