import { statSync } from 'node:fs';

/** Two states are the same only if nothing was written in between: the time of the last change cannot be set back. */
export function fileState(file: string): string {
  try {
    const { ctimeNs, ino, size } = statSync(file, { bigint: true });
    return [ctimeNs, ino, size].join(' ');
  } catch {
    return MISSING;
  }
}

/** The state of a file that does not exist. */
export const MISSING = 'missing';
