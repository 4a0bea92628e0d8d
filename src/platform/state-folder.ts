// The `.assay` folder of an application: run logs, caches and the path of the last log.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { removeLeftovers, replaceFile } from './replace-file.ts';

/** Creates `<root>/.assay/<name>` with a .gitignore. */
export function stateFolder(root: string, name = ''): string {
  const state = join(root, '.assay');
  const folder = join(state, name);
  makeFolder(folder);
  try {
    writeFileSync(join(state, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // It already exists.
  }
  return folder;
}

/** Removes what processes that were killed while they wrote a file have left. */
export function removeStateLeftovers(root: string): void {
  for (const name of ['cache', 'waiting']) removeLeftovers(join(root, '.assay', name));
}

/** The default history file of an application. */
export function historyFile(root: string): string {
  return join(root, '.assay', 'history.db');
}

/** Stores the path of the newest log, for `--resume last` and `--failed`. */
export function rememberLog(root: string, log: string): void {
  replaceFile(join(stateFolder(root), 'last'), `${log}\n`);
}

/** The path of the newest log. */
export function lastLog(root: string): string | undefined {
  try {
    return readFileSync(join(root, '.assay', 'last'), 'utf8').trim();
  } catch {
    return undefined;
  }
}
