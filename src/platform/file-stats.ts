import type { Stats } from 'node:fs';
import { statSync } from 'node:fs';

/** True for an accessible file; follows links. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false;
}

/** True for an accessible folder; follows links. */
export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() ?? false;
}

/** Undefined if the path does not exist, is not accessible or is not valid. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
