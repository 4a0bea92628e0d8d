// Similarity of two texts or two vectors, from 0 to 1.

/**
 * The Sørensen–Dice coefficient over pairs of neighbouring characters, counted with repetitions. Ignores case,
 * punctuation and the amount of white space.
 * @example textSimilarity('Healed', 'Sealed') // 0.8
 */
export function textSimilarity(first: string, second: string): number {
  const [a, b] = [normalize(first), normalize(second)];
  // Normalizing removes all of a text that is only punctuation, so such texts are compared as they are.
  if (a === '' || b === '') return first.trim() === second.trim() ? 1 : 0;
  if (a === b) return 1;

  const counts = new Map<string, number>();
  let total = 0;
  for (const pair of characterPairs(a)) {
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
    total++;
  }
  let shared = 0;
  for (const pair of characterPairs(b)) {
    total++;
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    counts.set(pair, left - 1);
    shared++;
  }
  return total === 0 ? 0 : (2 * shared) / total;
}

/** The cosine of the angle between two vectors; 0 if the angle is more than 90 degrees. */
export function cosineSimilarity(first: readonly number[], second: readonly number[]): number {
  if (first.length !== second.length)
    throw new Error(`vectors of ${first.length} and ${second.length} numbers cannot be compared`);
  const cosine = tryCosine(first, second) ?? tryCosine(scaleToOne(first), scaleToOne(second)) ?? Number.NaN;
  if (!Number.isFinite(cosine)) throw new Error('a vector without a direction cannot be compared');
  return Math.min(1, Math.max(0, cosine));
}

/** The cosine, or undefined if the squares are too large or too small to multiply. */
function tryCosine(first: readonly number[], second: readonly number[]): number | undefined {
  let product = 0;
  let firstSquare = 0;
  let secondSquare = 0;
  for (const [index, x] of first.entries()) {
    const y = second[index] ?? 0;
    product += x * y;
    firstSquare += x * x;
    secondSquare += y * y;
  }
  if (!isSafeToMultiply(firstSquare) || !isSafeToMultiply(secondSquare)) return undefined;
  // A single root of the product is exact for equal vectors.
  return product / Math.sqrt(firstSquare * secondSquare);
}

function isSafeToMultiply(square: number): boolean {
  return square > 1e-100 && square < 1e100;
}

/** Scales a vector so that its largest number is 1. */
function scaleToOne(vector: readonly number[]): number[] {
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

/** Pairs of neighbouring characters; iterating by code point keeps surrogate pairs together. */
function* characterPairs(text: string): Generator<string> {
  let previous: string | undefined;
  for (const character of text) {
    if (previous !== undefined) yield previous + character;
    previous = character;
  }
}
