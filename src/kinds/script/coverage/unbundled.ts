// Adds functions that bundles lack because no test can reach them: they belong to the file and never ran.

import type { FileCoverage, Position, Range } from './file-coverage.ts';
import { mergeFileCoverage } from './file-coverage.ts';

/** Compiled to functions that run when the file is loaded; a bundle may have inlined their values. */
const RUNS_ON_LOAD = /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?(?:enum|namespace)\b/;

/** Adds the functions of the `whole` file that have no trace in the counted coverage, with a count of zero. */
export function addUnbundled(counted: FileCoverage, whole: FileCoverage, text: string): FileCoverage {
  const lines = text.split('\n');
  const traces = [
    ...Object.values(counted.statementMap),
    ...Object.values(counted.fnMap).map(({ decl }) => decl),
  ];
  const missing = Object.values(whole.fnMap)
    .filter(({ decl }) => !RUNS_ON_LOAD.test(lines[decl.start.line - 1] ?? ''))
    .map(({ decl, loc }): Range => ({ start: decl.start, end: loc.end }))
    .filter((range) => !traces.some(({ start }) => contains(range, start)));
  const isMissing = ({ start }: Range): boolean => missing.some((range) => contains(range, start));
  const unbundled: FileCoverage = {
    ...whole,
    statementMap: pick(whole.statementMap, isMissing),
    fnMap: pick(whole.fnMap, ({ decl }) => isMissing(decl)),
    branchMap: pick(whole.branchMap, ({ loc }) => isMissing(loc)),
  };
  const written = pick(counted.fnMap, ({ decl }) => !isImport(decl, lines));
  return mergeFileCoverage(counted.path, [{ ...counted, fnMap: written }, unbundled]);
}

/** True for the function that a bundler makes of `import()`: its range is empty. */
function isImport({ start, end }: Range, lines: readonly string[]): boolean {
  return !isBefore(start, end) && /\bimport\s*\(/.test(lines[start.line - 1] ?? '');
}

function contains({ start, end }: Range, position: Position): boolean {
  return !isBefore(position, start) && isBefore(position, end);
}

function isBefore(left: Position, right: Position): boolean {
  return left.line < right.line || (left.line === right.line && left.column < right.column);
}

function pick<T>(items: Record<string, T>, isWanted: (item: T) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(items).filter(([, item]) => isWanted(item)));
}
