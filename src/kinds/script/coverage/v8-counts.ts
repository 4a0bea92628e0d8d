// What ran, as V8 counted it; in the process that runs user code. Bundles come in, their counts go out.

import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../../platform/make-folder.ts';

/** How often every part of a bundle ran since it was last asked for; offsets are those of the bundle's text. */
export type V8Entry = { file: string; functions: Profiler.FunctionCoverage[] };

let session: Session | undefined;

/** Begins to count. Code that was compiled before, or that comes from a code cache, is not counted by block. */
export function startCoverage(): void {
  if (session !== undefined) return;
  session = new Session();
  session.connect();
  session.post('Profiler.enable', throwIfFailed);
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true }, throwIfFailed);
}

/**
 * The counts of these bundles since they were last taken; everything else that ran is forgotten. `offset` is the length of
 * what was put before the bundle's text when it was compiled.
 */
export function takeCoverage(bundles: readonly { file: string; offset?: number }[]): V8Entry[] {
  const offsets = new Map(bundles.map(({ file, offset = 0 }) => [file, offset]));
  let scripts: Profiler.ScriptCoverage[] = [];
  // A session with the own thread answers before `post` returns.
  session?.post('Profiler.takePreciseCoverage', (error, { result } = { result: [] }) => {
    throwIfFailed(error);
    scripts = result;
  });
  return scripts.flatMap(({ url, functions }) => {
    const file = fileOf(url);
    const offset = file === undefined ? undefined : offsets.get(file);
    return file === undefined || offset === undefined ? [] : [{ file, functions: unwrap(functions, offset) }];
  });
}

/** Keeps entries for the report; a reader sees the file whole or not at all. */
export function writeEntries(folder: string, entries: readonly V8Entry[]): void {
  if (entries.length === 0) return;
  makeFolder(folder);
  const path = join(folder, randomUUID());
  writeFileSync(`${path}.tmp`, JSON.stringify(entries));
  renameSync(`${path}.tmp`, `${path}.json`);
}

/** Node tells scripts by URL, even those that were compiled with a path as their name. */
function fileOf(url: string): string | undefined {
  if (!url.startsWith('file:')) return url.startsWith('/') ? url : undefined;
  try {
    return fileURLToPath(url.replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
}

/** Of what wraps a bundle only the innermost function counts: its blocks are the bundle's own. */
function unwrap(functions: Profiler.FunctionCoverage[], offset: number): Profiler.FunctionCoverage[] {
  if (offset === 0) return functions;
  const isWrapper = ({ ranges }: Profiler.FunctionCoverage): boolean =>
    (ranges[0]?.startOffset ?? 0) < offset;
  const wrapper = functions.findLast(isWrapper);
  return functions
    .filter((entry) => entry === wrapper || !isWrapper(entry))
    .map(({ functionName, isBlockCoverage, ranges }) => ({
      functionName,
      isBlockCoverage,
      ranges: ranges.map(({ startOffset, endOffset, count }) => ({
        startOffset: Math.max(0, startOffset - offset),
        endOffset: endOffset - offset,
        count,
      })),
    }));
}

function throwIfFailed(error: Error | null): void {
  if (error !== null) throw error;
}
