import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, RuntimeError } from '../errors.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { replaceFile } from '../platform/replace-file.ts';
import type { PlannedFile } from './plan-files.ts';

/** Writes the planned files. A file that appeared or changed in the meantime is never overwritten. */
export function writeFiles(files: readonly PlannedFile[], folder: string): void {
  for (const { path, text, before } of files) {
    const file = join(folder, path);
    try {
      makeFolder(dirname(file));
      if (before === undefined) writeFileSync(file, text, { flag: 'wx' });
      else replaceUnchanged(file, before, text);
    } catch (cause) {
      throw new RuntimeError(`cannot write ${path}: ${messageOf(cause)}`, {
        cause,
        hint: 'mend that and run it again: files that are there are kept',
      });
    }
  }
}

function replaceUnchanged(file: string, before: string, text: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== before)
    throw new Error('another program changed it');
  // A link stays a link.
  replaceFile(realpathSync(file), text);
}
