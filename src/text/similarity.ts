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
  const cosine = cosineOf(first, second) ?? cosineOf(scaled(first), scaled(second)) ?? Number.NaN;
  if (!Number.isFinite(cosine)) throw new Error('a vector without a direction cannot be compared');
  return Math.min(1, Math.max(0, cosine));
}

/** Nothing if the squares are too large or too small to be multiplied. */
function cosineOf(first: readonly number[], second: readonly number[]): number | undefined {
  let product = 0;
  let firstSquare = 0;
  let secondSquare = 0;
  for (const [index, x] of first.entries()) {
    const y = second[index] ?? 0;
    product += x * y;
    firstSquare += x * x;
    secondSquare += y * y;
  }
  if (!isHandy(firstSquare) || !isHandy(secondSquare)) return undefined;
  // One root of the product, because it is exact for equal vectors.
  return product / Math.sqrt(firstSquare * secondSquare);
}

function isHandy(square: number): boolean {
  return square > 1e-100 && square < 1e100;
}

/** A vector of the same direction whose largest number is 1. */
function scaled(vector: readonly number[]): number[] {
  let largest = 0;
  for (const x of vector) largest = Math.max(largest, Math.abs(x));
  return vector.map((x) => x / largest);
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
