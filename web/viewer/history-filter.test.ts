import { expect, test } from 'vitest';
import type { HistoryCase } from './answers.ts';
import { isFailing, shownCases } from './history-filter.ts';

const one = (case_id: string, flips: number, statuses: HistoryCase['statuses']): HistoryCase => ({
  case_id,
  variables: null,
  flips,
  statuses,
});

test('a case fails if it did not pass when it last ran, whatever came before', () => {
  expect(isFailing(one('a', 1, ['failed', 'passed']))).toBe(true);
  expect(isFailing(one('a', 1, ['passed', 'failed']))).toBe(false);
});

test('runs without the case and skipped ones do not tell', () => {
  expect(isFailing(one('a', 0, [null, 'skipped', 'timeout', 'passed']))).toBe(true);
  expect(isFailing(one('a', 0, [null, 'skipped']))).toBe(false);
});

test('two flips are flaky, one may be a fix', () => {
  const cases = [one('stable', 0, ['passed']), one('fixed', 1, ['passed']), one('flaky', 2, ['passed'])];
  expect(shownCases(cases, 'flaky').map(({ case_id }) => case_id)).toEqual(['flaky']);
  expect(shownCases(cases, 'all')).toHaveLength(3);
});
