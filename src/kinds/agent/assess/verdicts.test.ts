import { expect, test } from 'vitest';
import type { Verdict } from '../../../model/outcome.ts';
import { summarizeVerdicts } from './verdicts.ts';

const passed = (fields: Partial<Verdict> = {}): Verdict => ({
  type: 'contains',
  status: 'passed',
  ...fields,
});
const failed = (fields: Partial<Verdict> = {}): Verdict => ({
  type: 'contains',
  status: 'failed',
  message: 'not there',
  ...fields,
});
const unclear = (fields: Partial<Verdict> = {}): Verdict => ({
  type: 'agent',
  status: 'error',
  message: 'no judge',
  ...fields,
});
const advisory = true;

test.each<[string, Verdict[], object]>([
  ['all hold', [passed(), passed()], { status: 'passed' }],
  ['one fails', [passed(), failed()], { status: 'failed', error: 'not there' }],
  [
    'several fail, and one is unclear',
    [failed(), unclear(), failed()],
    { status: 'failed', error: 'not there (and 1 more)' },
  ],
  ['one is unclear', [passed(), unclear()], { status: 'error', code: 'judge', error: 'no judge' }],
  ['an advisory one fails', [passed(), failed({ advisory })], { status: 'passed' }],
  ['an advisory one is unclear', [passed(), unclear({ advisory })], { status: 'passed' }],
  [
    'an advisory one is not the reason of a failure',
    [failed({ advisory, message: 'other' }), failed()],
    { status: 'failed', error: 'not there' },
  ],
  ['a score is recorded', [passed({ score: 0.5 }), passed()], { status: 'passed', score: 0.75 }],
  [
    'a weight is recorded',
    [passed({ weight: 3 }), failed()],
    { status: 'failed', error: 'not there', score: 0.75 },
  ],
  ['an advisory score counts not', [passed({ score: 0.5, advisory }), passed()], { status: 'passed' }],
  [
    'no score if one could not be judged',
    [passed({ score: 0.5 }), unclear()],
    { status: 'error', code: 'judge', error: 'no judge' },
  ],
  [
    'without a score that decides, all must hold, whatever their weight',
    [passed(), failed({ weight: 0 })],
    { status: 'failed', error: 'not there', score: 1 },
  ],
])('without pass_score: %s', (_name, verdicts, expected) => {
  expect(summarizeVerdicts(verdicts)).toEqual(expected);
});

test.each<[string, Verdict[], number, object]>([
  ['enough', [passed({ weight: 3 }), failed()], 0.75, { status: 'passed', score: 0.75 }],
  [
    'not enough',
    [passed({ weight: 2 }), failed(), failed()],
    0.75,
    { status: 'failed', error: 'score 0.5, wanted at least 0.75: not there (and 1 more)', score: 0.5 },
  ],
  [
    'all hold, and their scores are not enough',
    [passed({ score: 0.7 }), passed({ score: 0.8 })],
    0.8,
    { status: 'failed', error: 'score 0.75, wanted at least 0.8', score: 0.75 },
  ],
  ['a failure counts its score', [failed({ score: 0.6 }), passed()], 0.8, { status: 'passed', score: 0.8 }],
  [
    'a low score of a negated one is good',
    [passed({ score: 0.1, negate: true })],
    0.9,
    { status: 'passed', score: 0.9 },
  ],
  [
    'one in error: the score is not known',
    [passed(), failed(), unclear()],
    0.1,
    { status: 'error', code: 'judge', error: 'no judge' },
  ],
  [
    'advisory ones count not',
    [passed(), failed({ advisory }), unclear({ advisory })],
    1,
    { status: 'passed', score: 1 },
  ],
  [
    'weight 0 counts not',
    [passed(), failed({ weight: 0 }), unclear({ weight: 0 })],
    1,
    { status: 'passed', score: 1 },
  ],
  [
    'binary fractions',
    [passed({ weight: 0.1 }), passed({ weight: 0.7 }), failed({ weight: 0.2 })],
    0.8,
    { status: 'passed', score: 0.8 },
  ],
  [
    'nothing counts, which is no pass',
    [passed({ weight: 0 })],
    0,
    { status: 'error', code: 'judge', error: 'no assertion counts for the score' },
  ],
])('with pass_score: %s', (_name, verdicts, passScore, expected) => {
  expect(summarizeVerdicts(verdicts, passScore)).toEqual({ ...expected, pass_score: passScore });
});
