// Where the test of a skill is.

import { join } from 'node:path';
import { isFile } from '../../platform/file-stats.ts';

/** In the order in which they are looked for. */
const ENDINGS = ['.tests.mjs', '.tests.js', '.tests.ts'];

/** The first test file of a skill in some folders; its short name must be safe. */
export function findTestFile(shortName: string, folders: readonly string[]): string | undefined {
  return folders
    .flatMap((folder) => ENDINGS.map((ending) => join(folder, `${shortName}${ending}`)))
    .find(isFile);
}

/** True for a name that can only mean a file in the folder itself. */
export function isSafeShortName(shortName: string): boolean {
  return shortName !== '' && !shortName.includes('..') && !/[/\\\0]/.test(shortName);
}
