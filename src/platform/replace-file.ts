import { readdirSync, readlinkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Write the new content to `temporary`, then commit or discard it. */
export type Replacement = { temporary: string; commit(): void; discard(): void };

/** Replaces a file atomically: a reader sees the old or the new content. Throws errors of the file system. */
export function replaceFile(
  file: string,
  content: string | Uint8Array | ((temporary: string) => void),
): void {
  const { temporary, commit, discard } = beginReplacement(file);
  try {
    if (typeof content === 'function') content(temporary);
    else writeFileSync(temporary, content);
    commit();
  } catch (error) {
    discard();
    throw error;
  }
}

/** For content written in steps. The temporary file is beside the target, because a rename cannot cross file systems. */
export function beginReplacement(file: string): Replacement {
  // The process id keeps processes apart, the random part threads. No node:crypto: it takes a millisecond to load.
  const random = Math.random().toString(36).slice(2, 10);
  const temporary = join(dirname(file), `.assay-${process.pid}-${processSpace()}-${random}.tmp`);
  return {
    temporary,
    commit: () => renameSync(temporary, file),
    discard() {
      try {
        rmSync(temporary, { force: true });
      } catch {
        // It was never created, for example because its folder is missing.
      }
    },
  };
}

const TEMPORARY = /^\.assay-(\d+)-([\da-z]+)-[\da-z]*\.tmp$/;
/** A file that nothing was written to for longer belongs to no replacement, even if its process cannot be looked up. */
const ABANDONED_MS = 60 * 60 * 1000;

/** Removes the temporary files of replacements in a folder whose process was killed. */
export function removeLeftovers(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const [, pid, space] = TEMPORARY.exec(name) ?? [];
      if (pid === undefined) continue;
      const file = join(folder, name);
      const isEnded = space === processSpace() && !isRunning(Number(pid));
      if (isEnded || Date.now() - statSync(file).mtimeMs > ABANDONED_MS) rmSync(file, { force: true });
    }
  } catch {
    // The folder cannot be read or changed: what writes to it next reports that.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

let knownSpace: string | undefined;

/** Process ids of different containers, which may share a folder, cannot be compared. */
function processSpace(): string {
  try {
    knownSpace ??= /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  } catch {
    // Systems without /proc have one space.
  }
  return (knownSpace ??= '0');
}
