// Where files are, and how they are named to people.

import path from 'node:path';

/** True if `child` is `parent` itself or lies below it; both are absolute. */
export function isInside(parent: string, child: string): boolean {
  const way = path.relative(parent, child);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/** A path as a person in `cwd` would type it: relative, unless that leads up three folders or more. */
export function shortPath(file: string, cwd: string): string {
  const short = path.relative(cwd, file);
  return short === '' || short.startsWith('../../..') ? file : short;
}

/** Names a file the way a person in `cwd` would: relative if it lies below, else absolute; always with `/`. */
export function displayPath(file: string, cwd: string): string {
  const shown = isInside(cwd, file) ? path.relative(cwd, file) || '.' : file;
  return path.sep === '/' ? shown : shown.replaceAll(path.sep, '/');
}
