// Finds the location of a syntax error in an ES module, which Node prints only when it exits.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Program } from 'acorn';
import { displayPath } from '../../platform/paths.ts';

/** A test imports fewer files of its own than this. */
const MAX_FILES = 200;

/** The location of the first syntax error in a file or its relative imports: `tests/a.tests.mjs:3:7`. */
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
      const position = parserPosition(error);
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

/** Undefined for an error that is not from the parser. */
function parserPosition(error: unknown): string | undefined {
  if (!(error instanceof SyntaxError) || !('loc' in error)) return undefined;
  const { line, column } = error.loc as { line: number; column: number };
  return `${String(line)}:${String(column + 1)}`;
}
