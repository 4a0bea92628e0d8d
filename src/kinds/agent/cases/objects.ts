// The objects of an input in, in the order of its file, with defaults and rows put in.

import path from 'node:path';
import type { ParsedObject } from '../../../json/jsonl.ts';
import { readObjects } from '../../../json/jsonl.ts';
import { displayPath } from '../../../platform/paths.ts';
import type { CaseSource } from '../source.ts';
import { ownFile } from '../source.ts';
import { expandCases } from './expand.ts';
import type { ReadFileOptions } from './formats/read-file.ts';
import type { ColumnMap } from './formats/table.ts';

/** Where a file of cases is, and how it is read. */
export type ReadPlace = {
  /** The folder that problems name files relative to. */
  cwd: string;
  /** Renames columns and fields of the file. */
  map?: ColumnMap | undefined;
};

/** The cases of a file, with its defaults and rows put in; those of a definition are known already. */
export function objectsOf(
  source: Exclude<CaseSource, { type: 'message' }>,
  options: ReadPlace & { onBytes?: (bytes: Buffer) => void; onFile?: (file: string) => void },
): AsyncIterable<ParsedObject[]> {
  const { cwd, onBytes, onFile } = options;
  return expandCases(statedObjects(source, options), { base: baseOf(source, cwd), cwd, onBytes, onFile });
}

function statedObjects(
  source: Exclude<CaseSource, { type: 'message' }>,
  { cwd, map, onBytes }: ReadPlace & { onBytes?: (bytes: Buffer) => void },
): AsyncIterable<ParsedObject[]> {
  if (source.type === 'cases') {
    onBytes?.(Buffer.from(JSON.stringify(source.cases)));
    return definedCases(source);
  }
  if (map === undefined && !hasFormat(source.path))
    return readObjects(source.path, onBytes === undefined ? {} : { onBytes });
  return readFormat(source.path, { name: inputName(source, cwd), map, onBytes });
}

/** True for files whose ending names a format other than JSON Lines. */
export function hasFormat(file: string): boolean {
  return /\.(?:csv|json|parquet|tsv|ya?ml)$/i.test(file);
}

/** Loads the readers of other formats only if there is such a file. */
async function* readFormat(file: string, options: ReadFileOptions): AsyncGenerator<ParsedObject[]> {
  const { readFileObjects } = await import('./formats/read-file.ts');
  yield* readFileObjects(file, options);
}

async function* definedCases({
  cases,
  lines,
}: {
  cases: unknown[];
  lines: number[];
}): AsyncGenerator<ParsedObject[]> {
  yield cases.map((value, index) => ({ value, line: lines[index] ?? 1 }));
}

/** The folder that `file://` sources of an input start from. */
export function baseOf(source: CaseSource, cwd: string): string {
  const file = ownFile(source, cwd);
  return file === undefined ? cwd : path.dirname(file);
}

/** How people know an input. */
export function inputName(source: CaseSource, cwd: string): string {
  if (source.type === 'message') return 'the message';
  if (source.type === 'cases') return displayPath(source.path, cwd);
  return source.stdin === true ? 'stdin' : (source.generated ?? displayPath(source.path, cwd));
}
