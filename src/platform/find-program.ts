import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** A program by path from a folder, else by name from PATH, else by name from the folder; or why there is none. */
export function findProgram(
  name: string,
  { folder, path = '' }: { folder: string; path?: string | undefined },
): string | { problem: string } {
  const local = resolve(folder, name);
  if (!name.includes('/')) {
    const places = path.split(delimiter).filter((place) => place !== '');
    if (places.some((place) => isExecutable(join(place, name)))) return name;
    if (!isFile(local)) return { problem: `no program "${name}" in PATH, nor in ${folder}` };
  }
  if (!isFile(local)) return { problem: `no such file: ${local}` };
  return isExecutable(local) ? local : { problem: `${local} may not be executed; try chmod +x` };
}

/** True for a file, also behind a link. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
