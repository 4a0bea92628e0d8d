import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cosineSimilarity, textSimilarity } from './similarity.ts';

describe('textSimilarity', () => {
  // The words are those of Simon White's "How to Strike a Match"; the values are the pairs, counted by hand.
  test.each<[string, string, string, number]>([
    ['published', 'Healed', 'Sealed', 8 / 10],
    ['published', 'Healed', 'Healthy', 6 / 11],
    ['published', 'Healed', 'Heard', 4 / 9],
    ['published', 'Healed', 'Herded', 4 / 10],
    ['published', 'Healed', 'Help', 2 / 8],
    ['published', 'Healed', 'Sold', 0],
    ['published', 'night', 'nacht', 2 / 8],
    ['a pair counts as often as both have it', 'aaaa', 'aa', 2 / 4],
    ['words in another order', 'ab cd', 'cd ab', 4 / 8],
    ['equal', 'The parcel is late.', 'The parcel is late.', 1],
    ['equal but for case, punctuation and white space', 'Yes,  it IS!\n', 'yes it is', 1],
    ['composed and decomposed letters', 'Café', 'Cafe\u0301', 1],
    ['full-width letters', 'ＡＢＣ １', 'abc 1', 1],
    ['Chinese', '我想退款。', '我要退款', 2 / 6],
    ['Chinese with other punctuation', '你好，世界！', '你好 世界', 1],
    ['symbols are no punctuation', 'c++', 'c', 0],
    ['characters beyond 16 bits', '😀😁😂', '😀😁🤣', 2 / 4],
    ['one character', 'a', 'A', 1],
    ['two different characters', 'a', 'b', 0],
    ['one character of a longer text', 'a', 'ab', 0],
    ['both empty', '', ' ', 1],
    ['an empty text', '', 'abc', 0],
    ['nothing but punctuation', '?', '!', 0],
    ['an empty text and punctuation', '', '...', 0],
  ])('%s: %j and %j', (_name, first, second, expected) => {
    expect(textSimilarity(first, second)).toBe(expected);
  });

  test('is symmetric, from 0 to 1, and 1 for a text and itself', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', '好') }),
    );
    fc.assert(
      fc.property(text, text, (first, second) => {
        const similarity = textSimilarity(first, second);
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
        expect(textSimilarity(second, first)).toBe(similarity);
        expect(textSimilarity(first, first)).toBe(1);
      }),
    );
  });
});

describe('cosineSimilarity', () => {
  test.each<[string, number[], number[], number]>([
    ['the same direction', [1, 2], [2, 4], 1],
    ['a right angle', [1, 0], [0, 3], 0],
    ['3, 4 and 5', [1, 0], [3, 4], 0.6],
    ['opposite directions', [1, 1], [-1, -1], 0],
    ['large numbers', [1e100, 2e100], [1e100, 2e100], 1],
    ['very large numbers', [1e300, 0], [3e300, 4e300], 0.6],
    ['the largest numbers', [Number.MAX_VALUE, 0], [Number.MAX_VALUE, Number.MAX_VALUE], 1 / Math.SQRT2],
    ['very small numbers', [1e-200, 0], [3e-200, 4e-200], 0.6],
    ['the smallest numbers', [Number.MIN_VALUE], [Number.MIN_VALUE], 1],
    ['large and small numbers', [1e200, 0], [3e-200, 4e-200], 0.6],
  ])('%s: %j and %j', (_name, first, second, expected) => {
    expect(cosineSimilarity(first, second)).toBe(expected);
  });

  test('is exactly 1 for equal vectors', () => {
    const vector = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(vector, (numbers) => {
        expect(cosineSimilarity(numbers, [...numbers])).toBe(1);
      }),
    );
  });

  test.each<[number[], number[], string]>([
    [[1, 2], [1], 'vectors of 2 and 1 numbers cannot be compared'],
    [[0, 0], [1, 1], 'a vector without a direction cannot be compared'],
    [[], [], 'a vector without a direction cannot be compared'],
    [[Number.POSITIVE_INFINITY, 1], [1, 1], 'a vector without a direction cannot be compared'],
    [[Number.NaN], [1], 'a vector without a direction cannot be compared'],
  ])('%j and %j: %s', (first, second, message) => {
    expect(() => cosineSimilarity(first, second)).toThrow(message);
  });
});
