// A folder and those above it.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isFolder } from './file-stats.ts';

/** Makes what is missing. Node's own recursive `mkdir` never comes back where the system takes no folders, like in `/proc`. */
export function makeFolder(path: string, options: { mode?: number } = {}): void {
  const folder = resolve(path);
  const missing: string[] = [];
  for (let above = folder; !existsSync(above) && above !== dirname(above); above = dirname(above))
    missing.push(above);
  for (const one of missing.reverse()) makeOne(one, options);
  if (!isFolder(folder)) mkdirSync(folder, options);
}

/** Somebody else may have been quicker. */
function makeOne(folder: string, options: { mode?: number }): void {
  try {
    mkdirSync(folder, options);
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}
