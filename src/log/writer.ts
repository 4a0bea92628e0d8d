// Writes the run log: every batch is one write call, so that a kill cuts at most the last line.

import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { RuntimeError, messageOf } from '../errors.ts';
import type { Sink } from '../model/sink.ts';
import { makeFolder } from '../platform/make-folder.ts';

/** Longer batches are written immediately, so that they stay below the maximum string length. */
const WRITE_LENGTH = 16 * 1024 * 1024;

/** Opens a log for writing and creates its folders; `exclusive` fails if the file exists. */
export function openLogWriter(path: string, options: { append?: boolean; exclusive?: boolean } = {}): Sink {
  const file = attemptTo('open', path, () => {
    makeFolder(dirname(path));
    return openSync(path, flagsFor(options));
  });
  let isOpen = true;

  return {
    write(batch) {
      let text = '';
      for (const { line } of batch) {
        text += `${line}\n`;
        if (text.length < WRITE_LENGTH) continue;
        writeAll(file, path, text);
        text = '';
      }
      if (text !== '') writeAll(file, path, text);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      attemptTo('close', path, () => closeSync(file));
    },
  };
}

/** Always appends: two runs with one log mix their lines but never overwrite each other. */
function flagsFor({ append, exclusive }: { append?: boolean; exclusive?: boolean }): number {
  const { O_APPEND, O_CREAT, O_EXCL, O_TRUNC, O_WRONLY } = constants;
  const fresh = append === true ? 0 : O_TRUNC;
  return O_WRONLY | O_CREAT | O_APPEND | fresh | (exclusive === true ? O_EXCL : 0);
}

/** A write call may write only a part, for example when the disk fills up. */
function writeAll(file: number, path: string, text: string): void {
  attemptTo('write', path, () => {
    const bytes = Buffer.from(text);
    let written = 0;
    while (written < bytes.length) written += writeSync(file, bytes, written);
  });
}

function attemptTo<T>(verb: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    const hint =
      verb === 'open' ? 'choose another file with -o' : 'free disk space or choose another file with -o';
    throw new RuntimeError(`cannot ${verb} the run log ${path}: ${messageOf(cause)}`, { cause, hint });
  }
}
