// Stacks of compiled code, told in the lines of the user's own files.

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { displayPath } from '../../../platform/paths.ts';

export type Places = {
  /** Where in the user's files a stack begins: `expense/src/setup_test.ts:12:5`. */
  placeOf(stack: string): string | undefined;
  /** The stack with the user's frames only. */
  mapStack(stack: string): string;
};

/** A frame: what is before the place, the place, and what is behind it. */
const FRAME = /^(\s+at (?:.* \()?)(\S.*?):(\d+):(\d+)(\)?)$/;

/** Knows the places of one bundle. Its map is read when the first stack has to be told. */
export function placesOf(bundle: string, { cwd }: { cwd: string }): Places {
  let map: SourceMap | null | undefined;

  function frameOf(line: string): { before: string; place: string; after: string } | undefined {
    const [, before = '', file = '', row = '', column = '', after = ''] = FRAME.exec(line) ?? [];
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (path === '' || /^(?:node|assay|evalmachine):|^<|[\\/]node_modules[\\/]/.test(path)) return undefined;
    if (path !== bundle)
      return isOurs(path)
        ? undefined
        : { before, place: `${displayPath(path, cwd)}:${row}:${column}`, after };
    map ??= readMap(bundle);
    const entry = map?.findEntry(Number(row) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return undefined;
    const source = resolve(dirname(bundle), entry.originalSource);
    if (/[\\/]node_modules[\\/]/.test(source)) return undefined;
    const place = `${displayPath(source, cwd)}:${String(entry.originalLine + 1)}:${String(entry.originalColumn + 1)}`;
    return { before, place, after };
  }

  return {
    placeOf(stack) {
      for (const line of stack.split('\n')) {
        const frame = frameOf(line);
        if (frame !== undefined) return frame.place;
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
        const frame = frameOf(line);
        if (frame !== undefined) lines.push(`${frame.before}${frame.place}${frame.after}`);
      }
      return lines.join('\n');
    },
  };
}

const OWN_FOLDER = dirname(fileURLToPath(import.meta.url));

function isOurs(path: string): boolean {
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
