// The application's `.env`: how it is read, and that the environment wins over it.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, messageOf } from '../errors.ts';
import { isFile } from '../platform/file-stats.ts';

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of the application's `.env`; empty if it has no such file. */
export function readDotEnv(root: string): Record<string, string> {
  const file = path.join(root, '.env');
  if (!isFile(file)) return {};
  try {
    return parseDotEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`cannot be read: ${messageOf(error)}`, { at: file, cause: error });
  }
}

/** The environment wins: gives the variables that only `.env` has, and the environment with these added. */
export function addDotEnv(
  environment: Environment,
  file: Readonly<Record<string, string>>,
): { env: Record<string, string>; dotenv: Record<string, string> } {
  const dotenv = Object.fromEntries(Object.entries(file).filter(([name]) => environment[name] === undefined));
  const env: Record<string, string> = { ...dotenv };
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) env[name] = value;
  return { env, dotenv };
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
