// Lines that a bundler adds to a module: they map to its first character, as if they were part of it.

import type { SourceMap } from './convert.ts';
import type { Segment } from './mappings.ts';
import { decodeMappings, encodeMappings } from './mappings.ts';

/** The source they are assigned to instead; there is no such file. */
const SYNTHETIC = 'made-up';

/** Lines that esbuild adds to export a module as an object, and to run it lazily. */
const LAZY_MODULE = /^var \S+ = __(?:commonJS|esm)\(\{$/;
const ADDED = [
  LAZY_MODULE,
  /^var \S+ = \{\};$/,
  /^__export\(\S+, \{$/,
  /^ {2}\S.*: \(\) => \S+$/,
  /^ {2}(?:async )?".*"\(.*\) \{$/,
  /^ *"use strict";$/,
];
/** Declares the names of a lazy module before it, each mapped to its own position. */
const DECLARED = /^var [^=]+;$/;
const ASSIGNED = /^ {4}[^\s=]+ = /;

/** Removes these lines from their modules: otherwise they count as functions and statements of the user. */
export function dropSyntheticLines(code: string, map: SourceMap): SourceMap {
  const lines = code.split('\n');
  const isSynthetic = (segments: Segment[], index: number): boolean => {
    const [line = '', next = ''] = lines.slice(index, index + 2);
    if (DECLARED.test(line) && LAZY_MODULE.test(next)) return true;
    return segments.every(isAtBeginning) && ADDED.some((added) => added.test(line));
  };
  const mappings = decodeMappings(map.mappings).map((segments, index) =>
    isSynthetic(segments, index)
      ? segments.map(([column = 0]) => [column, map.sources.length, 0, 0])
      : mapToDeclaration(segments, lines[index] ?? ''),
  );
  return {
    ...map,
    sources: [...map.sources, SYNTHETIC],
    mappings: encodeMappings(mappings),
  };
}

/** In a lazy module a declaration becomes an assignment: map it to the start of the declaration, not to the name. */
function mapToDeclaration(segments: Segment[], line: string): Segment[] {
  const [first, second, ...rest] = segments;
  if (first?.[0] !== 0 || second?.[0] !== 4 || !ASSIGNED.test(line)) return segments;
  return [first, [4, ...first.slice(1, 4)], ...rest];
}

function isAtBeginning([, , line, column]: Segment): boolean {
  return line === 0 && column === 0;
}
