import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { histogramBins, percentile } from './percentile.ts';

test('interpolates between neighbours', () => {
  expect([0, 0.5, 0.9, 1].map((share) => percentile([10, 20, 30, 40], share))).toEqual([10, 25, 37, 40]);
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([], 0.5)).toBe(0);
});

test('bins are round, touch each other and hold every value', () => {
  expect(histogramBins([1, 1, 4, 12, 19], 10)).toEqual([
    { from: 0, to: 2, count: 2 },
    { from: 2, to: 4, count: 0 },
    { from: 4, to: 6, count: 1 },
    { from: 6, to: 8, count: 0 },
    { from: 8, to: 10, count: 0 },
    { from: 10, to: 12, count: 0 },
    { from: 12, to: 14, count: 1 },
    { from: 14, to: 16, count: 0 },
    { from: 16, to: 18, count: 0 },
    { from: 18, to: 20, count: 1 },
  ]);
  expect(histogramBins([])).toEqual([]);
  expect(histogramBins([5, 5])).toEqual([{ from: 5, to: 6, count: 2 }]);
});

test('no value is lost, whatever they are', () => {
  assert(
    property(array(integer({ min: 0, max: 1_000_000 }), { minLength: 1 }), (values) => {
      const bins = histogramBins(values.toSorted((a, b) => a - b));
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      expect(bins.length).toBeLessThanOrEqual(62);
    }),
  );
});
