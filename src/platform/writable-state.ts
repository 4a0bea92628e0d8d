import { accessSync, constants, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stateFolder } from './state-folder.ts';

/**
 * The folder `.assay/<name>` of an application, or a new temporary folder if that is not writable;
 * then `isElsewhere` is true.
 */
export function writableState(root: string, name: string): { folder: string; isElsewhere: boolean } {
  try {
    const folder = stateFolder(root, name);
    accessSync(folder, constants.W_OK | constants.X_OK);
    return { folder, isElsewhere: false };
  } catch {
    return { folder: mkdtempSync(join(tmpdir(), `assay-${name}-`)), isElsewhere: true };
  }
}
