// How alike two texts or two vectors are, from 0 to 1.

/**
 * The Sørensen–Dice coefficient of the pairs of neighbouring characters, each pair as often as it occurs. Upper and lower
 * case, punctuation and the width of white space make no difference.
 * @example textSimilarity('Healed', 'Sealed') // 0.8
 */
export function textSimilarity(first: string, second: string): number {
  const [a, b] = [normalize(first), normalize(second)];
  // Texts of punctuation alone are all the same once it is gone.
  if (a === '' || b === '') return first.trim() === second.trim() ? 1 : 0;
  if (a === b) return 1;

  const counts = new Map<string, number>();
  let total = 0;
  for (const pair of pairsOf(a)) {
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
    total++;
  }
  let shared = 0;
  for (const pair of pairsOf(b)) {
    total++;
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    counts.set(pair, left - 1);
    shared++;
  }
  return total === 0 ? 0 : (2 * shared) / total;
}

/** The cosine of the angle between two vectors; those that point away from each other have nothing in common. */
export function cosineSimilarity(first: readonly number[], second: readonly number[]): number {
  if (first.length !== second.length)
    throw new Error(`vectors of ${first.length} and ${second.length} numbers cannot be compared`);
  let product = 0;
  let firstSquare = 0;
  let secondSquare = 0;
  for (const [index, x] of first.entries()) {
    const y = second[index] ?? 0;
    product += x * y;
    firstSquare += x * x;
    secondSquare += y * y;
  }
  // One root of the product, because it is exact for equal vectors.
  const cosine = product / Math.sqrt(firstSquare * secondSquare);
  if (!Number.isFinite(cosine)) throw new Error('a vector without a direction cannot be compared');
  return Math.min(1, Math.max(0, cosine));
}

function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\s]+/gu, ' ')
    .trim();
}

/** Characters are whole ones, not halves of surrogate pairs. */
function* pairsOf(text: string): Generator<string> {
  let previous: string | undefined;
  for (const character of text) {
    if (previous !== undefined) yield previous + character;
    previous = character;
  }
}
