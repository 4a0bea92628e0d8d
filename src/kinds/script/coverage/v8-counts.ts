// Takes the execution counts of bundles from V8, in the process that runs user code.

import { randomUUID } from 'node:crypto';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../../../platform/make-folder.ts';
import { replaceFile } from '../../../platform/replace-file.ts';

/** Counts of a bundle since they were last taken; offsets are positions in the bundle's text. */
export type V8Entry = { file: string; functions: Profiler.FunctionCoverage[] };

let session: Session | undefined;

/** Starts counting. V8 has no block counts for code compiled before, or loaded from a code cache. */
export function startCoverage(): void {
  if (session !== undefined) return;
  session = new Session();
  session.connect();
  session.post('Profiler.enable', throwIfFailed);
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true }, throwIfFailed);
}

/**
 * Takes the counts of these bundles since the last call and drops all others. `offset` is the length of the code before the
 * bundle's text when it was compiled.
 */
export function takeCoverage(bundles: readonly { file: string; offset?: number }[]): V8Entry[] {
  const offsets = new Map(bundles.map(({ file, offset = 0 }) => [file, offset]));
  let scripts: Profiler.ScriptCoverage[] = [];
  // A session with the same thread answers before `post` returns.
  session?.post('Profiler.takePreciseCoverage', (error, { result } = { result: [] }) => {
    throwIfFailed(error);
    scripts = result;
  });
  return scripts.flatMap(({ url, functions }) => {
    const file = urlToPath(url);
    const offset = file === undefined ? undefined : offsets.get(file);
    return file === undefined || offset === undefined ? [] : [{ file, functions: unwrap(functions, offset) }];
  });
}

/** Saves entries for the report; the file appears atomically. */
export function writeEntries(folder: string, entries: readonly V8Entry[]): void {
  if (entries.length === 0) return;
  makeFolder(folder);
  replaceFile(join(folder, `${randomUUID()}.json`), JSON.stringify(entries));
}

/** V8 reports scripts by URL, even those compiled with a path as their name. */
function urlToPath(url: string): string | undefined {
  if (!url.startsWith('file:')) return url.startsWith('/') ? url : undefined;
  try {
    return fileURLToPath(url.replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
}

/** Keeps only the innermost wrapper function of a bundle, whose blocks are the bundle's top level. */
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
