// Writes the files of a conversion. Files that exist stay, unless they may be replaced.

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { displayPath } from '../../platform/paths.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import type { OutputFiles } from './output-files.ts';

const HINT = '--force replaces files, -o names another folder; nothing was written';

export function writeFiles(files: OutputFiles, { cwd, isForced }: { cwd: string; isForced: boolean }): void {
  const all = files.entries().map(([path, text]) => ({ file: files.absolute(path), text }));
  const existing = isForced ? [] : all.filter(({ file }) => existsSync(file));
  if (existing.length > 0)
    throw ConfigError.of(
      existing.map(({ file }, index) => ({
        message: 'the file exists',
        at: displayPath(file, cwd),
        hint: index === existing.length - 1 ? HINT : undefined,
      })),
    );
  for (const { file, text } of all) {
    makeFolder(dirname(file));
    replaceFile(file, text);
  }
}
