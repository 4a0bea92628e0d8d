// The edit distance of two texts.

import { distance } from 'fastest-levenshtein/esm/mod.js';

/** The fewest insertions, deletions and replacements of characters, and 1 − edits / length of the longer text. */
export function countEdits(first: string, second: string): { edits: number; similarity: number } {
  const [a, b] = SURROGATE.test(first + second) ? oneUnitEach(first, second) : [first, second];
  const edits = distance(a, b);
  const longer = Math.max(a.length, b.length);
  return { edits, similarity: longer === 0 ? 1 : 1 - edits / longer };
}

const SURROGATE = /[\ud800-\udfff]/;

/** Both texts with one UTF-16 unit for each different character, because the distance counts units. */
function oneUnitEach(...texts: [string, string]): [string, string] {
  const units = new Map<string, string>();
  const toUnit = (character: string): string => {
    const known = units.get(character);
    if (known !== undefined) return known;
    // Beyond 65,536 different characters, some share a unit.
    const unit = String.fromCharCode(units.size);
    units.set(character, unit);
    return unit;
  };
  const [first, second] = texts;
  return [Array.from(first, toUnit).join(''), Array.from(second, toUnit).join('')];
}
