import { expect, test } from 'vitest';
import type { MetricSummary } from '../../model/scores.ts';
import { caseScoresText, scoreTexts } from './score-words.ts';

const metric = (name: string, more: Partial<MetricSummary> = {}): MetricSummary => ({
  metric: name,
  mean: 0.8312,
  interval: { low: 0.764, high: 0.8912 },
  cases: 40,
  min: 0.2,
  max: 1,
  ...more,
});

test('a metric has its mean, its range and what to expect of cases like these', () => {
  expect(scoreTexts({ metrics: [metric('faithful')] }, 'case')).toEqual([
    'faithful: 0.83 (mean of 40 cases, 0.2 to 1; cases like these: 0.76 to 0.89)',
  ]);
});

test('one case says nothing about others, and script tests are no sample', () => {
  expect(scoreTexts({ metrics: [metric('a', { cases: 1 })] }, 'case')).toEqual(['a: 0.83 (1 case)']);
  expect(scoreTexts({ metrics: [metric('a')] }, 'test')).toEqual(['a: 0.83 (mean of 40 tests, 0.2 to 1)']);
});

test('related cases are named', () => {
  const clusters = { by: 'test', groups: 4, cases: 40 };
  expect(scoreTexts({ metrics: [metric('a')], clusters }, 'case')).toEqual([
    'a: 0.83 (mean of 40 cases, 0.2 to 1; cases like these, in 4 groups: 0.76 to 0.89)',
  ]);
});

test('many metrics are cut, and none is left out silently', () => {
  const metrics = Array.from({ length: 11 }, (_, at) => metric(`m${String(at)}`, { cases: 1 }));
  expect(scoreTexts({ metrics, metrics_left_out: 1200 }, 'case').slice(7)).toEqual([
    'm7: 0.83 (1 case)',
    'and 3 more metrics; the JSON report has them all',
    '1,200 scores of further metrics are not averaged: a run has at most 200 metrics',
  ]);
  expect(scoreTexts({}, 'case')).toEqual([]);
});

test('the scores of a case; near the ends a digit more, so that not everything is 1', () => {
  expect(caseScoresText({ faithful: 0.8333, tone: 0.9951, wit: 0.004 })).toBe(
    'faithful 0.83, tone 0.995, wit 0.004',
  );
  expect(caseScoresText(undefined)).toBeUndefined();
});
