// The files of packages that compiled scripts import: packages stay outside of bundles, so they are loaded when the script is.

import type { Dirent } from 'node:fs';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../json/is-object.ts';

/** Enough for most judges, and their states are read in about 20 ms. */
const MAX_FILES = 2000;
const LOADABLE = /\.(?:[cm]?js|json|node|wasm)$/;
const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Files and folders of packages and of the packages they depend on, those that are closest first, up to a limit. Folders are among
 * them, because a file that is added can take the place of another.
 */
export function packageFiles(packageJsons: readonly string[], limit = MAX_FILES): string[] {
  const found: string[] = [];
  const queue = [...new Set(packageJsons)];
  const seen = new Set(queue);
  for (const packageJson of queue) {
    if (found.length >= limit) break;
    addFolder(dirname(packageJson), found, limit);
    for (const needed of dependenciesOf(packageJson)) {
      if (seen.has(needed)) continue;
      seen.add(needed);
      queue.push(needed);
    }
  }
  return found;
}

function addFolder(folder: string, found: string[], limit: number): void {
  const folders = [folder];
  for (const current of folders) {
    found.push(current);
    for (const entry of entriesOf(current)) {
      if (found.length >= limit) return;
      const path = join(current, entry.name);
      // The packages below it have their own turn.
      if (entry.isDirectory() && entry.name !== 'node_modules') folders.push(path);
      else if (LOADABLE.test(entry.name)) found.push(path);
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The package.json of every package that this one can load. */
function dependenciesOf(packageJson: string): string[] {
  const content = readJson(packageJson);
  const names = DEPENDENCIES.flatMap((field) => {
    const listed = isObject(content) ? content[field] : undefined;
    return isObject(listed) ? Object.keys(listed) : [];
  });
  return names.flatMap((name) => findPackage(name, dirname(packageJson)) ?? []);
}

/** As Node looks for it: in every `node_modules` from the folder upwards. */
function findPackage(name: string, folder: string): string | undefined {
  const path = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(path)) return path;
  return dirname(folder) === folder ? undefined : findPackage(name, dirname(folder));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
