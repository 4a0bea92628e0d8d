// Whether something is there, and what it is.

import type { Stats } from 'node:fs';
import { statSync } from 'node:fs';

/** True for a file that can be reached, also through a link. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false;
}

/** True for a folder that can be reached, also through a link. */
export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** Nothing for what is not there, cannot be looked at, or could never be a path. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
