// The content of a file that stands for a value: parsed if it is JSON or YAML, else its text.

import { extname, resolve } from 'node:path';
import type { Folders } from './files.ts';
import { matchingFiles, readNamedFile } from './files.ts';
import { readSource } from './source.ts';

/** `reference` begins with `file://`. */
export async function readValueFile(reference: string, at: string, folders: Folders): Promise<unknown> {
  const path = resolve(folders.base, reference.replace(/^file:\/\//, ''));
  const [file = path] = await matchingFiles(path, at, folders);
  if (['.json', '.yaml', '.yml'].includes(extname(file))) return (await readSource(file, folders.cwd)).value;
  return (await readNamedFile(file, at, folders)).trim();
}
