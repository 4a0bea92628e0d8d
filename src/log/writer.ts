// The run log as it grows: every batch is one write call, so that a kill tears at most the last line.

import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { RuntimeError, messageOf } from '../errors.ts';
import type { Sink } from '../model/sink.ts';
import { makeFolder } from '../platform/make-folder.ts';

/** Texts longer than this are written at once, so that no batch grows beyond what a string can hold. */
const WRITE_LENGTH = 16 * 1024 * 1024;

/** Opens a log for writing and creates its folders; `exclusive` refuses a file that is already there. */
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

/** Always at the end: two runs with one log mix their lines, but never write into each other's. */
function flagsFor({ append, exclusive }: { append?: boolean; exclusive?: boolean }): number {
  const { O_APPEND, O_CREAT, O_EXCL, O_TRUNC, O_WRONLY } = constants;
  const fresh = append === true ? 0 : O_TRUNC;
  return O_WRONLY | O_CREAT | O_APPEND | fresh | (exclusive === true ? O_EXCL : 0);
}

/** A write call may take less than it was given, for example when the disk fills up. */
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
      verb === 'open' ? 'choose another place with -o' : 'make room or choose another place with -o';
    throw new RuntimeError(`cannot ${verb} the run log ${path}: ${messageOf(cause)}`, { cause, hint });
  }
}
