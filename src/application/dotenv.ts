// The application's `.env`: how it is read, and that the environment wins over it.

import path from 'node:path';
import { findStringEnd } from '../json/json-scan.ts';
import { readTextFile } from '../json/text-file.ts';
import { isFile } from '../platform/file-stats.ts';

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of the application's `.env`; empty if it has no such file. */
export function readDotEnv(root: string): Record<string, string> {
  const file = path.join(root, '.env');
  if (!isFile(file)) return {};
  return parseDotEnv(readTextFile(file, file));
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
  const lines = text.replaceAll('\r\n', '\n');
  const entries: [string, string][] = [];
  // Quotes that are not closed anywhere below; they are not searched for again.
  const unclosed = new Set<string>();
  for (let at = 0; at < lines.length;) {
    const lineEnd = endOf(lines, '\n', at);
    NAME.lastIndex = at;
    const name = NAME.exec(lines)?.[1];
    const start = NAME.lastIndex;
    at = lineEnd + 1;
    if (name === undefined) continue;

    const quote = lines.charAt(start);
    const isQuoted = QUOTES.includes(quote) && quote !== '' && !unclosed.has(quote);
    const end = !isQuoted
      ? -1
      : quote === '"'
        ? findStringEnd(lines, start + 1)
        : lines.indexOf(quote, start + 1);
    if (isQuoted && end === -1) unclosed.add(quote);
    if (end === -1) {
      entries.push([
        name,
        lines
          .slice(start, lineEnd)
          .replace(/(?:^|\s)#.*$/, '')
          .trim(),
      ]);
      continue;
    }
    const content = lines.slice(start + 1, end);
    entries.push([name, quote === '"' ? content.replaceAll(/\\([nrt"\\$])/g, unescape) : content]);
    // What follows the closing quote on its line is a comment.
    at = endOf(lines, '\n', end) + 1;
  }
  return Object.fromEntries(entries);
}

const NAME = /[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/y;
const QUOTES = '"\'`';

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

function unescape(_match: string, letter: string): string {
  return ESCAPES[letter] ?? letter;
}
