import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isFolder } from './file-stats.ts';

/** Creates a folder and its parents. Node's recursive `mkdir` hangs in places like `/proc`. */
export function makeFolder(path: string, options: { mode?: number } = {}): void {
  const folder = resolve(path);
  const missing: string[] = [];
  for (let above = folder; !existsSync(above) && above !== dirname(above); above = dirname(above))
    missing.push(above);
  for (const one of missing.reverse()) makeOne(one, options);
  if (!isFolder(folder)) mkdirSync(folder, options);
}

/** Another process may create the folder at the same time. */
function makeOne(folder: string, options: { mode?: number }): void {
  try {
    mkdirSync(folder, options);
  } catch (error) {
    if (!isFolder(folder)) throw error;
  }
}
