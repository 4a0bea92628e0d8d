// Bundles lack the functions that no test can reach. They are part of the file all the same, and never ran.

import type { FileCoverage, Position, Range } from './file-coverage.ts';
import { mergeFileCoverage } from './file-coverage.ts';

/** These become functions that run as soon as their file is loaded; a bundle may have their values in their place. */
const RUNS_AT_ONCE = /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?(?:enum|namespace)\b/;

/** Adds to what was counted of a file those functions of the `whole` file of which there is no trace. */
export function addUnbundled(found: FileCoverage, whole: FileCoverage, text: string): FileCoverage {
  const lines = text.split('\n');
  const traces = [
    ...Object.values(found.statementMap),
    ...Object.values(found.fnMap).map(({ decl }) => decl),
  ];
  const missing = Object.values(whole.fnMap)
    .filter(({ decl }) => !RUNS_AT_ONCE.test(lines[decl.start.line - 1] ?? ''))
    .map(({ decl, loc }): Range => ({ start: decl.start, end: loc.end }))
    .filter((range) => !traces.some(({ start }) => contains(range, start)));
  const isMissing = ({ start }: Range): boolean => missing.some((range) => contains(range, start));
  const unbundled: FileCoverage = {
    ...whole,
    statementMap: pick(whole.statementMap, isMissing),
    fnMap: pick(whole.fnMap, ({ decl }) => isMissing(decl)),
    branchMap: pick(whole.branchMap, ({ loc }) => isMissing(loc)),
  };
  const written = pick(found.fnMap, ({ decl }) => !isImport(decl, lines));
  return mergeFileCoverage(found.path, [{ ...found, fnMap: written }, unbundled]);
}

/** A bundler makes a function of `import()`; it has no beginning that anybody wrote. */
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
