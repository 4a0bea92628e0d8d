// "Did you mean …": the known names most similar to an unknown one.

import { distance } from 'fastest-levenshtein/esm/mod.js';

/**
 * Names similar to `word`, the most similar first, at most `max` of them.
 * @example nearest('equal', ['contains', 'equals']) // ['equals']
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  { max = 3 }: { max?: number } = {},
): string[] {
  // Typos in longer names are unlikely; the bound keeps hostile input cheap.
  const lower = word.slice(0, 200).toLowerCase();

  const close: { name: string; edits: number }[] = [];
  for (const name of new Set(candidates)) {
    const other = name.toLowerCase();
    const edits = editsBetween(lower, other);
    const shorter = Math.min(lower.length, other.length);
    const isPart = shorter >= 3 && (other.startsWith(lower) || lower.startsWith(other));
    if (isPart || edits <= Math.max(1, Math.floor(Math.max(lower.length, other.length) * 0.4)))
      close.push({ name, edits });
  }
  return close
    .sort((a, b) => a.edits - b.edits)
    .slice(0, max)
    .map((entry) => entry.name);
}

/** The hint for an unknown word, such as `did you mean "equals"?`; undefined if no candidate is similar. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const [best] = nearest(word, candidates, { max: 1 });
  return best === undefined ? undefined : `did you mean ${JSON.stringify(best)}?`;
}

/** The edit distance of two words; two swapped neighbours count as one edit. */
export function editsBetween(a: string, b: string): number {
  return isSwapped(a, b) ? 1 : distance(a, b);
}

function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
