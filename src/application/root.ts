// Where the application is.

import path from 'node:path';
import { CONFIG_FILES } from './config-file.ts';
import { isFile, isFolder } from '../platform/file-stats.ts';

/** The nearest folder upward from `start` that holds an `assay.config.*`, `app.yao` or `assistants/`. */
export function findApplicationRoot(start: string, fallback: string): string {
  let folder = isFolder(start) ? path.resolve(start) : path.dirname(path.resolve(start));
  for (;;) {
    if (isRoot(folder)) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) return path.resolve(fallback);
    folder = parent;
  }
}

function isRoot(folder: string): boolean {
  if (isFolder(path.join(folder, 'assistants')) || isFile(path.join(folder, 'app.yao'))) return true;
  return CONFIG_FILES.some((name) => isFile(path.join(folder, name)));
}
