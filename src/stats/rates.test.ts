import { expect, test } from 'vitest';
import { array, assert, property, integer } from 'fast-check';
import { passRateInterval, suiteInterval, wilsonInterval } from './rates.ts';

test('agrees with published values of the Wilson interval', () => {
  // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
  expect(wilsonInterval(81, 263)).toEqual({ low: 25.5, high: 36.6 });
  expect(wilsonInterval(15, 148)).toEqual({ low: 6.2, high: 16 });
  expect(wilsonInterval(0, 20)).toEqual({ low: 0, high: 16.1 });
  expect(wilsonInterval(1, 29)).toEqual({ low: 0.6, high: 17.2 });
});

test('is never outside of what is possible, and nothing is known of nothing', () => {
  expect(wilsonInterval(1, 1)).toEqual({ low: 20.7, high: 100 });
  expect(wilsonInterval(42, 42)).toEqual({ low: 91.6, high: 100 });
  expect(wilsonInterval(0, 0)).toBe(undefined);
});

test('the interval from sums is that of the values', () => {
  assert(
    property(array(integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 50 }), (twelfths) => {
      const values = twelfths.map((one) => one / 12);
      const sum = values.reduce((total, value) => total + value, 0);
      const squares = values.reduce((total, value) => total + value * value, 0);
      const exact = suiteInterval(values);
      const shown = passRateInterval({ count: values.length, sum, squares });
      expect(Math.abs((shown?.low ?? -1) - 100 * (exact?.low ?? 0))).toBeLessThan(0.0501);
      expect(Math.abs((shown?.high ?? -1) - 100 * (exact?.high ?? 0))).toBeLessThan(0.0501);
    }),
  );
  expect(passRateInterval({ count: 0, sum: 0, squares: 0 })).toBe(undefined);
});
