// Finds the test file of a skill.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isFile, isFolder } from '../../platform/file-stats.ts';

/** In order of precedence. */
const ENDINGS = ['.tests', '.test'].flatMap((name) =>
  ['mjs', 'js', 'ts', 'mts'].map((end) => `${name}.${end}`),
);
/** The names of test files; the part before is the short name of a skill. */
export const TEST_FILE = /\.tests?\.m?[jt]s$/;

/** The first test file of a skill in these folders; its short name must be safe. */
export function findTestFile(shortName: string, folders: readonly string[]): string | undefined {
  return folders
    .flatMap((folder) => ENDINGS.map((ending) => join(folder, `${shortName}${ending}`)))
    .find(isFile);
}

/** True for a name that cannot lead out of its folder. */
export function isSafeShortName(shortName: string): boolean {
  return shortName !== '' && !shortName.includes('..') && !/[/\\\0]/.test(shortName);
}

/** The short names that the test files in a folder have, sorted. */
export function listTestNames(folder: string): string[] {
  if (!isFolder(folder)) return [];
  const names = readdirSync(folder)
    .filter((file) => TEST_FILE.test(file))
    .map((file) => file.replace(TEST_FILE, ''));
  return [...new Set(names)].sort();
}
