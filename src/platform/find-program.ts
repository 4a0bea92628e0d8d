import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { isFile, isFolder } from './file-stats.ts';

/** Finds a program by path relative to a folder, else by name in PATH, else by name in the folder. */
export function findProgram(
  name: string,
  { folder, path = '' }: { folder: string; path?: string | undefined },
): string | { problem: string; hint?: string } {
  if (name === '') return { problem: 'the name of the program is empty' };
  const local = resolve(folder, name);
  if (!name.includes('/')) {
    const folders = path.split(delimiter).filter((directory) => directory !== '');
    if (folders.some((directory) => isExecutable(join(directory, name)))) return name;
    const problem = `no program "${name}" in PATH, nor in ${folder}`;
    if (!isFile(local)) return { problem, hint: 'install it, or write the path of the program' };
  }
  if (isFolder(local)) return { problem: `${local} is a folder, not a program` };
  if (!isFile(local)) return { problem: `no such file: ${local}` };
  return isExecutable(local) ? local : { problem: `${local} is not executable; try chmod +x` };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
