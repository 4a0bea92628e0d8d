// The lines that a bundler adds to a module map to the very beginning of it, as if they were part of it.

import type { SourceMap } from './convert.ts';
import type { Segment } from './mappings.ts';
import { decodeMappings, encodeMappings } from './mappings.ts';

/** The source that has them instead; there is no such file. */
const MADE_UP = 'made-up';

/** How esbuild lets others see a module as an object, and puts off running it. */
const PUT_OFF = /^var \S+ = __(?:commonJS|esm)\(\{$/;
const ADDED = [
  PUT_OFF,
  /^var \S+ = \{\};$/,
  /^__export\(\S+, \{$/,
  /^ {2}\S.*: \(\) => \S+$/,
  /^ {2}(?:async )?".*"\(.*\) \{$/,
  /^ *"use strict";$/,
];
/** The names of what is put off are declared before it, each mapped to its own place. */
const DECLARED = /^var [^=]+;$/;
const ASSIGNED = /^ {4}[^\s=]+ = /;

/** Takes them away from their modules: otherwise they count as functions and statements that nobody wrote. */
export function withoutMadeUpLines(code: string, map: SourceMap): SourceMap {
  const lines = code.split('\n');
  const isMadeUp = (segments: Segment[], index: number): boolean => {
    const [line = '', next = ''] = lines.slice(index, index + 2);
    if (DECLARED.test(line) && PUT_OFF.test(next)) return true;
    return segments.every(isAtBeginning) && ADDED.some((added) => added.test(line));
  };
  const mappings = decodeMappings(map.mappings).map((segments, index) =>
    isMadeUp(segments, index)
      ? segments.map(([column = 0]) => [column, map.sources.length, 0, 0])
      : fromItsBeginning(segments, lines[index] ?? ''),
  );
  return {
    ...map,
    sources: [...map.sources, MADE_UP],
    mappings: encodeMappings(mappings),
  };
}

/** What is put off is assigned where it was declared: it begins with the declaration, not with the name. */
function fromItsBeginning(segments: Segment[], line: string): Segment[] {
  const [first, second, ...rest] = segments;
  if (first?.[0] !== 0 || second?.[0] !== 4 || !ASSIGNED.test(line)) return segments;
  return [first, [4, ...first.slice(1, 4)], ...rest];
}

function isAtBeginning([, , line, column]: Segment): boolean {
  return line === 0 && column === 0;
}
