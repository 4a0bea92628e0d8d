import { expect, test } from 'vitest';
import { caseK, createKFold } from './pass-at-k.ts';

test('a case has no figure for more runs than were measured', () => {
  expect(caseK(9, 10, [1, 3, 11])).toEqual({
    pass_at_k: { 1: 90, 3: 100, 11: null },
    pass_hat_k: { 1: 90, 3: 70, 11: null },
  });
});

test('a suite has the mean of the cases with enough runs, with its interval', () => {
  const fold = createKFold([1, 3, 5]);
  fold.add(3, 3);
  fold.add(1, 3);
  fold.add(1, 1);
  expect(fold.result()).toEqual({
    pass_at_k: {
      1: { value: 77.8, low: 27.3, high: 97, cases: 3 },
      3: { value: 100, low: 34.2, high: 100, cases: 2 },
      5: null,
    },
    pass_hat_k: {
      1: { value: 77.8, low: 27.3, high: 97, cases: 3 },
      3: { value: 50, low: 9.5, high: 90.5, cases: 2 },
      5: null,
    },
  });
});
