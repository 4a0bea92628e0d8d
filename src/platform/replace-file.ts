import { renameSync, rmSync, writeFileSync } from 'node:fs';
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
  const unique = `${process.pid}-${Math.random().toString(36).slice(2, 10)}`;
  const temporary = join(dirname(file), `.${unique}.tmp`);
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
