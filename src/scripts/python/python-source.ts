// Reads Python files without running them: which functions they have, and which files of the user they import.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isFile } from '../../platform/file-stats.ts';

/** `def name(` and `async def name(` without indentation. */
const FUNCTION = /^(?:async[ \t]+)?def[ \t]+([\p{L}_][\p{L}\p{N}_]*)/gmu;
/** `import a, b.c as d`; `from .a import b, c`; `from a import (b,` over several lines. */
const IMPORT =
  /^[ \t]*(?:import[ \t]+([^\n#]+)|from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]*(?:\(([^)]*)\)|([^\n#]+)))/gm;
/** Bounds the search in a large application. */
const MAX_FILES = 2000;

/** The names of the functions at the top level of a file. */
export function topLevelFunctions(source: string): string[] {
  return [...new Set([...source.matchAll(FUNCTION)].map(([, name = '']) => name))];
}

/** False if the file cannot define the name: it has no `def`, assignment or import of it. */
export function mayDefine(source: string, name: string): boolean {
  if (topLevelFunctions(source).includes(name)) return true;
  const others = new RegExp(`^[ \\t]*(?:class[ \\t]+)?${name}\\b|\\bimport\\b.*(?:\\*|\\b${name}\\b)`, 'mu');
  // Imports in parentheses may go over several lines.
  return others.test(source) || /\bimport[ \t]*\(/.test(source) || /\bglobals\b|__getattr__/.test(source);
}

/** The file and everything it imports from its own folder, as far as import statements say; sorted. */
export function pythonFiles(file: string): string[] {
  const base = dirname(file);
  const found = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined && found.size < MAX_FILES; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...importedFiles(next, base).filter((path) => !found.has(path)));
  }
  return [...found].sort();
}

function importedFiles(file: string, base: string): string[] {
  const files: string[] = [];
  for (const [, plain, dots = '', module = '', inParentheses, inLine] of readFileSync(file, 'utf8').matchAll(
    IMPORT,
  )) {
    if (plain !== undefined) {
      for (const name of names(plain)) files.push(...moduleFiles(base, name.split('.')));
      continue;
    }
    // One dot is the folder of the file, each further one the folder above.
    let folder = dots === '' ? base : dirname(file);
    for (let level = 1; level < dots.length; level += 1) folder = dirname(folder);
    const parts = module.split('.').filter((part) => part !== '');
    files.push(...moduleFiles(folder, parts));
    for (const name of names(inParentheses ?? inLine ?? ''))
      files.push(...moduleFiles(folder, [...parts, name]));
  }
  return files;
}

/** `a, b.c as d` → `a`, `b.c`. */
function names(list: string): string[] {
  const entries = list.replaceAll(/#.*$/gm, '').split(',');
  return entries.map((entry) => /^[\w.]+/.exec(entry.trim())?.[0] ?? '').filter((name) => name !== '');
}

/** The files of a module and of the packages around it; none if it is not below the folder. */
function moduleFiles(folder: string, parts: readonly string[]): string[] {
  const files: string[] = [];
  for (let count = 1; count <= parts.length; count += 1) {
    const path = join(folder, ...parts.slice(0, count));
    files.push(...[join(path, '__init__.py'), `${path}.py`].filter(isFile));
  }
  return files;
}
