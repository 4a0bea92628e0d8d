// Finds the vitest that runs a test file, and the folder that it runs in.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RuntimeError } from '../../errors.ts';
import { isFile } from '../../platform/file-stats.ts';

const CONFIG = /^(?:vitest|vite)\.config\.[cm]?[jt]s$/;

/** The path of vitest/node, from the folder of the test file or else from the application. */
export function findVitest(file: string, root: string): string {
  for (const from of [file, join(root, 'package.json')]) {
    try {
      return createRequire(from).resolve('vitest/node');
    } catch {
      // The next place may have it.
    }
  }
  throw new RuntimeError('it imports vitest, which is not installed here: npm i -D vitest');
}

/** The nearest folder upward with a configuration of vitest, or else with a package.json, or else that of the file. */
export function vitestRoot(file: string): string {
  const folders: string[] = [];
  for (let folder = dirname(file); folders.at(-1) !== folder; folder = dirname(folder)) folders.push(folder);
  const hasConfig = (folder: string): boolean => namesIn(folder).some((name) => CONFIG.test(name));
  const hasPackage = (folder: string): boolean => isFile(join(folder, 'package.json'));
  return folders.find(hasConfig) ?? folders.find(hasPackage) ?? dirname(file);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
