import { expect, test } from 'vitest';
import type { Verdict } from '../../model/outcome.ts';
import { listFailures } from '../fold/failures.ts';
import { advisoryTexts, scoreText } from './advisory-text.ts';

const advisory = true;
const FAILED: Verdict = { type: 'contains', status: 'failed', message: 'is not there', advisory };
const UNCLEAR: Verdict = { type: 'agent', status: 'error', message: 'no judge', advisory };
const PASSED: Verdict = { type: 'contains', status: 'passed', advisory };
const COUNTED: Verdict = { type: 'equals', status: 'failed', message: 'is not 1' };

test('advisory assertions are told apart from failures', () => {
  const verdicts = [FAILED, PASSED, COUNTED, UNCLEAR];
  expect(advisoryTexts({ verdicts }, 'agent-eval')).toEqual([
    'advisory: contains: is not there',
    'advisory could not be judged: judge: no judge',
  ]);
  expect(listFailures({ status: 'failed', error: 'is not 1', verdicts })).toEqual([
    { title: 'equals', message: 'is not 1' },
  ]);
  expect(advisoryTexts({ verdicts: [COUNTED, PASSED] }, 'agent-eval')).toEqual([]);
  expect(advisoryTexts({}, 'agent-eval')).toEqual([]);
});

test('runs that found the same share a line', () => {
  const run_details = [{ verdicts: [FAILED] }, {}, { verdicts: [FAILED, UNCLEAR] }];
  expect(advisoryTexts({ verdicts: [FAILED], run_details }, 'agent-eval')).toEqual([
    'advisory: contains: is not there (2 of 3 runs)',
    'advisory could not be judged: judge: no judge (1 of 3 runs)',
  ]);
});

test('a score that was not reached comes before the assertions that failed', () => {
  const run = { status: 'failed', score: 2 / 3, pass_score: 0.8, verdicts: [COUNTED] } as const;
  expect(
    listFailures({ ...run, verdicts: [COUNTED], error: 'score 0.66, wanted at least 0.8: is not 1' }),
  ).toEqual([
    { title: 'pass_score', message: 'score 0.66, wanted at least 0.8' },
    { title: 'equals', message: 'is not 1' },
  ]);
  // Without failed assertions the error says it.
  expect(listFailures({ ...run, verdicts: [], error: 'score 0.66, wanted at least 0.8' })).toEqual([
    { message: 'score 0.66, wanted at least 0.8' },
  ]);
});

test('the score of a case in words', () => {
  expect([scoreText({}), scoreText({ score: 0.799 }), scoreText({ score: 0.799, pass_score: 0.8 })]).toEqual([
    undefined,
    '0.79',
    '0.79, wanted at least 0.8',
  ]);
});
