// Maps stacks of compiled code to lines of the user's files.

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { displayPath } from '../../../platform/paths.ts';

export type SourceLocations = {
  /** The first location of a stack in the user's files: `expense/src/setup_test.ts:12:5`. */
  locate(stack: string): string | undefined;
  /** The stack with only the user's frames. */
  mapStack(stack: string): string;
};

/** The text before the location, file, line, column, and the text behind. */
const FRAME = /^(\s+at (?:.* \()?)(\S.*?):(\d+):(\d+)(\)?)$/;

/** Maps stacks of one bundle. Its source map is read for the first stack. */
export function createSourceLocations(bundle: string, { cwd }: { cwd: string }): SourceLocations {
  let map: SourceMap | null | undefined;

  function mapFrame(line: string): { before: string; location: string; after: string } | undefined {
    const [, before = '', file = '', row = '', column = '', after = ''] = FRAME.exec(line) ?? [];
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (path === '' || /^(?:node|assay|evalmachine):|^<|[\\/]node_modules[\\/]/.test(path)) return undefined;
    if (path !== bundle)
      return isAssayFile(path)
        ? undefined
        : { before, location: `${displayPath(path, cwd)}:${row}:${column}`, after };
    map ??= readMap(bundle);
    const entry = map?.findEntry(Number(row) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return undefined;
    const source = resolve(dirname(bundle), entry.originalSource);
    if (/[\\/]node_modules[\\/]/.test(source)) return undefined;
    const location = `${displayPath(source, cwd)}:${String(entry.originalLine + 1)}:${String(entry.originalColumn + 1)}`;
    return { before, location, after };
  }

  return {
    locate(stack) {
      for (const line of stack.split('\n')) {
        const frame = mapFrame(line);
        if (frame !== undefined) return frame.location;
      }
      return undefined;
    },
    mapStack(stack) {
      const lines: string[] = [];
      for (const line of stack.split('\n')) {
        if (!/^\s+at /.test(line)) {
          lines.push(line);
          continue;
        }
        const frame = mapFrame(line);
        if (frame !== undefined) lines.push(`${frame.before}${frame.location}${frame.after}`);
      }
      return lines.join('\n');
    },
  };
}

const OWN_FOLDER = dirname(fileURLToPath(import.meta.url));

function isAssayFile(path: string): boolean {
  return path.startsWith(OWN_FOLDER);
}

function readMap(bundle: string): SourceMap | null {
  try {
    // Written by esbuild beside the bundle.
    return new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
