// Where a module cannot be parsed: Node says so only on the way to its end.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Program } from 'acorn';
import { displayPath } from '../../platform/paths.ts';

/** More files than somebody imports into a test by hand. */
const MAX_FILES = 200;

/** The place of the first syntax error in a file or in what it imports from its own files: `tests/a.tests.mjs:3:7`. */
export async function findSyntaxError(file: string, cwd: string): Promise<string | undefined> {
  const { parse } = await import('acorn');
  const files = new Set([file]);
  for (const path of files) {
    if (files.size > MAX_FILES) return undefined;
    try {
      const program = parse(readFileSync(path, 'utf8'), {
        ecmaVersion: 'latest',
        sourceType: 'module',
        allowHashBang: true,
      });
      for (const source of relativeImports(program)) files.add(resolve(dirname(path), source));
    } catch (error) {
      const position = positionOf(error);
      if (position !== undefined) return `${displayPath(path, cwd)}:${position}`;
    }
  }
  return undefined;
}

function relativeImports({ body }: Program): string[] {
  return body.flatMap((statement) => {
    if (!('source' in statement) || typeof statement.source?.value !== 'string') return [];
    const { value } = statement.source;
    return /^\.\.?\/.*\.m?js$/.test(value) ? [value] : [];
  });
}

/** Nothing for errors that are not of the parser. */
function positionOf(error: unknown): string | undefined {
  if (!(error instanceof SyntaxError) || !('loc' in error)) return undefined;
  const { line, column } = error.loc as { line: number; column: number };
  return `${String(line)}:${String(column + 1)}`;
}
