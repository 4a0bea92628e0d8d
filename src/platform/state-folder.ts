// The `.assay` folder of an application: run logs, caches, a pointer to the last run.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Makes `<root>/.assay/<name>` and keeps all of it out of version control. */
export function stateFolder(root: string, name = ''): string {
  const state = join(root, '.assay');
  const folder = join(state, name);
  makeFolder(folder);
  try {
    writeFileSync(join(state, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // It is there already.
  }
  return folder;
}

/** Where the history of an application is unless its settings say otherwise. */
export function historyFile(root: string): string {
  return join(root, '.assay', 'history.db');
}

/** Remembers the log of the newest run, for `--resume last` and `--failed`. */
export function rememberLog(root: string, log: string): void {
  writeFileSync(join(stateFolder(root), 'last'), `${log}\n`);
}

/** The log of the newest run, if there was one. */
export function lastLog(root: string): string | undefined {
  try {
    return readFileSync(join(root, '.assay', 'last'), 'utf8').trim();
  } catch {
    return undefined;
  }
}
