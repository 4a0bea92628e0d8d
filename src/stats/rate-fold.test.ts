import { expect, test } from 'vitest';
import { createRateFold } from './rate-fold.ts';
import { passRateInterval, suiteInterval } from './rates.ts';

/** .40, .41 … .79: 8 groups of 5 neighbours. */
const VALUES = Array.from({ length: 40 }, (_, at) => 0.4 + at / 100);
const groupAt = (at: number): string => `g${Math.floor(at / 5)}`;

function rounded({ low, high }: { low: number; high: number }) {
  return { low: Math.round(1000 * low) / 10, high: Math.round(1000 * high) / 10 };
}

test('groups of related cases have the interval of clusters', () => {
  const fold = createRateFold();
  for (const [at, value] of VALUES.entries()) fold.add(value, groupAt(at));
  const { interval, ...counts } = fold.result();
  expect(interval).toEqual({ low: 37.8, high: 78 });
  expect({ ...counts, sum: Number(counts.sum.toFixed(6)) }).toEqual({
    count: 40,
    sum: 23.8,
    groups: 8,
    named: 40,
  });
});

test('a case without a group is a group of its own', () => {
  const fold = createRateFold();
  const values = [...VALUES, 1, 0, 0.5];
  for (const [at, value] of values.entries()) fold.add(value, at < 40 ? groupAt(at) : undefined);
  const clusters = values.map((_, at) => (at < 40 ? groupAt(at) : `own ${at}`));
  const expected = suiteInterval(values, { clusters });
  if (expected === undefined) throw new Error('no interval');
  expect(fold.result()).toMatchObject({ interval: rounded(expected), groups: 11, named: 40 });
});

test('groups of one case each are separate cases, and no case has no interval', () => {
  const fold = createRateFold();
  expect(fold.result()).toEqual({ count: 0, sum: 0, interval: undefined, groups: 0, named: 0 });
  fold.add(1, 'a');
  fold.add(0, 'b');
  fold.add(1);
  expect(fold.result()).toEqual({
    count: 3,
    sum: 2,
    interval: passRateInterval({ count: 3, sum: 2, squares: 2 }),
    groups: 3,
    named: 2,
  });
});
