// Compares paths and formats them for people.

import path from 'node:path';

/** True if `child` is `parent` or below it; both are absolute. */
export function isInside(parent: string, child: string): boolean {
  const route = path.relative(parent, child);
  return route === '' || (route !== '..' && !route.startsWith(`..${path.sep}`) && !path.isAbsolute(route));
}

/** A path as a person in `cwd` would type it: relative, unless that leads up three folders or more. */
export function shortPath(file: string, cwd: string): string {
  const short = path.relative(cwd, file);
  return short === '' || short.startsWith('../../..') ? file : short;
}

/** A path for messages: relative if it is below `cwd`, else absolute; always with `/`. */
export function displayPath(file: string, cwd: string): string {
  const shown = isInside(cwd, file) ? path.relative(cwd, file) || '.' : file;
  return path.sep === '/' ? shown : shown.replaceAll(path.sep, '/');
}
