// Where the application is and what its `.env` says.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, messageOf } from '../errors.ts';
import { CONFIG_FILES } from './config-file.ts';
import { isFile, isFolder } from '../platform/file-stats.ts';

/** The nearest folder upward from `start` that holds an `assay.config.*`, `app.yao` or `assistants/`. */
export function findApplicationRoot(start: string, fallback: string): string {
  let folder = isFolder(start) ? path.resolve(start) : path.dirname(path.resolve(start));
  for (;;) {
    if (isRoot(folder)) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) return path.resolve(fallback);
    folder = parent;
  }
}

/** The variables of the application's `.env`; none if it has no such file. */
export function readDotEnv(root: string): Record<string, string> {
  const file = path.join(root, '.env');
  if (!isFile(file)) return {};
  try {
    return parseDotEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, { at: file, cause: error });
  }
}

/** Adds the variables of `.env` that the environment does not have. */
export function mergeEnv(
  env: Readonly<Record<string, string | undefined>>,
  dotenv: Readonly<Record<string, string>>,
): Record<string, string> {
  const merged: Record<string, string> = { ...dotenv };
  for (const [name, value] of Object.entries(env)) if (value !== undefined) merged[name] = value;
  return merged;
}

/**
 * Reads the text of a `.env` file: `NAME=value`, `export NAME=value`, comments, quotes; double quotes may run over
 * several lines and know `\n`, `\t`, `\"` and `\\`.
 */
export function parseDotEnv(text: string): Record<string, string> {
  const entries: [string, string][] = [];
  for (const match of text.replaceAll('\r\n', '\n').matchAll(ENTRY)) {
    const [, name = '', double, single, backtick, bare = ''] = match;
    const quoted =
      double === undefined ? (single ?? backtick) : double.replaceAll(/\\([nrt"\\$])/g, unescape);
    entries.push([name, quoted ?? bare.replace(/(?:^|\s)#.*$/, '').trim()]);
  }
  return Object.fromEntries(entries);
}

/** Name, then a value in double quotes, single quotes, backticks, or bare up to the end of the line. */
const ENTRY =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:"((?:\\[^]|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^\n]*))[^\n]*$/gm;

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

function unescape(_match: string, letter: string): string {
  return ESCAPES[letter] ?? letter;
}

function isRoot(folder: string): boolean {
  if (isFolder(path.join(folder, 'assistants')) || isFile(path.join(folder, 'app.yao'))) return true;
  return CONFIG_FILES.some((name) => isFile(path.join(folder, name)));
}
