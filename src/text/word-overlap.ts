// ROUGE and BLEU: how many words, and words in a row, a text shares with an expected one. Case and punctuation do not count.

import { listWords } from './words.ts';

export type RougeVariant = '1' | '2' | 'L';

/** BLEU looks at this many words in a row at most. */
const MAX_ORDER = 4;

/** F1 of ROUGE-1, ROUGE-2 or ROUGE-L, from 0 to 1. */
export function rougeScore(wanted: string, text: string, variant: RougeVariant): number {
  const [expected, actual] = [expectedWords(wanted), normalWords(text)];
  if (variant === 'L') return f1(longestCommon(expected, actual), expected.length, actual.length);
  // A text of one word has no pairs.
  const order = variant === '1' || expected.length === 1 || actual.length <= 1 ? 1 : 2;
  const [all, some] = [countGrams(expected, order), countGrams(actual, order)];
  return f1(sharedGrams(all, some), expected.length - order + 1, Math.max(0, actual.length - order + 1));
}

/**
 * BLEU of a single text, from 0 to 1: the geometric mean of the precisions for 1 to 4 words in a row, less for texts that are
 * too short. Counts of several words are smoothed by one, because a single text often has no four words in common.
 */
export function bleuScore(wanted: string, text: string): number {
  const [expected, actual] = [expectedWords(wanted), normalWords(text)];
  const orders = Math.min(MAX_ORDER, expected.length, actual.length);
  if (orders === 0) return 0;
  let logSum = 0;
  for (let order = 1; order <= orders; order++) {
    const shared = sharedGrams(countGrams(expected, order), countGrams(actual, order));
    if (order === 1 && shared === 0) return 0;
    const smoothing = order === 1 ? 0 : 1;
    logSum += Math.log((shared + smoothing) / (actual.length - order + 1 + smoothing));
  }
  const brevity = actual.length >= expected.length ? 1 : Math.exp(1 - expected.length / actual.length);
  return brevity * Math.exp(logSum / orders);
}

function expectedWords(text: string): string[] {
  const words = normalWords(text);
  if (words.length === 0) throw new Error('the expected text has no words to compare with');
  return words;
}

function normalWords(text: string): string[] {
  return listWords(text.normalize('NFKC').toLowerCase());
}

function f1(shared: number, expected: number, actual: number): number {
  return shared === 0 ? 0 : (2 * shared) / (expected + actual);
}

/** How often each sequence of `order` words occurs. */
function countGrams(words: readonly string[], order: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let start = 0; start + order <= words.length; start++) {
    const gram = words.slice(start, start + order).join(' ');
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

function sharedGrams(first: Map<string, number>, second: Map<string, number>): number {
  let shared = 0;
  for (const [gram, count] of first) shared += Math.min(count, second.get(gram) ?? 0);
  return shared;
}

/** The length of the longest common subsequence. */
function longestCommon(first: readonly string[], second: readonly string[]): number {
  let row = new Uint32Array(second.length + 1);
  for (const word of first) {
    const next = new Uint32Array(second.length + 1);
    for (let index = 0; index < second.length; index++) {
      next[index + 1] =
        word === second[index] ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
