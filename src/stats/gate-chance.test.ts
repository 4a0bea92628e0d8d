import { expect, test } from 'vitest';
import { chanceOfPasses, likelyRates } from './gate-chance.ts';

test('the chance to pass at least so many runs is binomial', () => {
  expect(chanceOfPasses(0.95, 3, 3)).toBeCloseTo(0.857375, 10);
  expect(chanceOfPasses(0.5, 2, 3)).toBeCloseTo(0.5, 10);
  expect(chanceOfPasses(0.9, 1, 2)).toBeCloseTo(0.99, 10);
  expect([chanceOfPasses(1, 3, 3), chanceOfPasses(0, 1, 3), chanceOfPasses(0, 0, 3)]).toEqual([1, 0, 1]);
});

test('twenty cases that are each 95 % right pass three of three runs 5 times in 100', () => {
  const rates = Array.from({ length: 20 }, () => 0.95);
  expect(rates.reduce((all, rate) => all * chanceOfPasses(rate, 3, 3), 1)).toBeCloseTo(0.0461, 4);
});

test('without noise cases keep their rates, and unknown cases get the mean', () => {
  expect(
    likelyRates(
      [
        { x: 3, r: 3 },
        { x: 0, r: 3 },
        { x: 0, r: 0 },
      ],
      0,
    ),
  ).toEqual([1, 0, 0.5]);
});

test('where noise explains all differences, every case has the mean', () => {
  const histories = [...Array.from({ length: 19 }, () => ({ x: 1, r: 1 })), { x: 0, r: 1 }];
  expect(likelyRates(histories, 0.05)).toEqual(Array.from({ length: 20 }, () => 0.95));
});

test('in between, few runs are drawn to the mean more than many', () => {
  // The mean is 0.5, so 0.125 of noise stands for one imagined run.
  const [few = 0, many = 0] = likelyRates([...PAIR, ...PAIR], 0.125) ?? [];
  expect([few, many]).toEqual([0.75, 0.5 / 11]);
});

const PAIR = [
  { x: 1, r: 1 },
  { x: 0, r: 10 },
];

test('without any runs nothing is likely', () => {
  expect(likelyRates([{ x: 0, r: 0 }], 0.1)).toBeUndefined();
});
