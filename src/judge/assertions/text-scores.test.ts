import { expect, test } from 'vitest';
import type { Assertion } from '../../model/case.ts';
import { depsFor, subjectOf, verdictOn } from '../judge.fixture.ts';
import { judge, judgedElsewhere } from '../judge.ts';

const CAT = 'the cat sat on the mat';

test.each<[string, Assertion, unknown, number]>([
  ['levenshtein: equal', { type: 'levenshtein', value: 'kitten' }, 'kitten', 1],
  ['levenshtein: edits', { type: 'levenshtein', value: 'kitten', threshold: 0.5 }, 'sitting', 1 - 3 / 7],
  ['levenshtein: case', { type: 'levenshtein', value: 'KITTEN', ignore_case: true }, 'kitten', 1],
  ['levenshtein: distance', { type: 'levenshtein', value: 'kitten', max_distance: 3 }, 'sitting', 1 - 3 / 7],
  ['levenshtein: emoji', { type: 'levenshtein', value: 'a😀', threshold: 0.5 }, 'a😁', 0.5],
  ['levenshtein: the best', { type: 'levenshtein', value: ['x', 'kitten'] }, 'kitten', 1],
  ['levenshtein: JSON', { type: 'levenshtein', value: { a: 1 } }, { a: 1 }, 1],
  ['levenshtein: empty', { type: 'levenshtein', value: '' }, '', 1],
  // 5 of 6 words are shared.
  ['rouge-1', { type: 'rouge', variant: '1', value: CAT }, 'The cat lay on the mat.', 5 / 6],
  // 3 of 5 pairs are shared.
  ['rouge-2', { type: 'rouge', variant: '2', value: CAT, threshold: 0.6 }, 'the cat lay on the mat', 0.6],
  ['rouge-L', { type: 'rouge', value: CAT }, 'the cat lay on the mat', 5 / 6],
  ['rouge-L: order counts', { type: 'rouge', value: 'a b c', threshold: 0 }, 'c b a', 1 / 3],
  ['rouge: Chinese', { type: 'rouge', variant: '1', value: '我喜歡茶', threshold: 0.5 }, '我愛茶', 4 / 7],
  ['rouge: no answer', { type: 'rouge', value: 'a', threshold: 0 }, undefined, 0],
  ['bleu: equal', { type: 'bleu', value: CAT }, CAT, 1],
  ['bleu: one word', { type: 'bleu', value: 'yes' }, 'Yes!', 1],
  ['bleu: nothing in common', { type: 'bleu', value: CAT, threshold: 0 }, 'a dog', 0],
  // Half as long as expected, and all of it right.
  ['bleu: too short', { type: 'bleu', value: CAT, threshold: 0 }, 'the cat sat', Math.exp(-1)],
])('%s', (_name, assertion, output, score) => {
  const { type } = assertion;
  expect(verdictOn(output, assertion)).toEqual({ type, status: 'passed', score: expect.closeTo(score, 9) });
});

test('BLEU is the geometric mean of smoothed precisions', () => {
  // 5 of 6 words, 3 of 5 pairs, 1 of 4 triples, 0 of 3 quadruples; all but the first plus one.
  const expected = Math.exp((Math.log(5 / 6) + Math.log(4 / 6) + Math.log(2 / 5) + Math.log(1 / 4)) / 4);
  expect(verdictOn('the cat lay on the mat', { type: 'bleu', value: CAT, threshold: 0 }).score).toBeCloseTo(
    expected,
    12,
  );
});

test.each<[Assertion, unknown, string]>([
  [{ type: 'levenshtein', value: 'kitten' }, 'sitting', 'similarity 0.57, wanted at least 0.8'],
  [
    { type: 'levenshtein', value: 'kitten', max_distance: 2 },
    'sitting',
    '3 edits away from the expected text, wanted at most 2',
  ],
  [{ type: 'rouge', value: 'a b c' }, 'c b a', 'ROUGE-L 0.33, wanted at least 0.75'],
  [{ type: 'bleu', value: CAT }, 'the cat sat', 'BLEU 0.36, wanted at least 0.5'],
])('a failure says how far away it is: %j', (assertion, output, message) => {
  expect(verdictOn(output, assertion)).toEqual({
    type: assertion.type,
    status: 'failed',
    message,
    expected: assertion.value,
    actual: output,
    diff: `- expected\n+ actual\n\n- ${JSON.stringify(assertion.value)}\n+ ${JSON.stringify(output)}`,
    score: expect.any(Number),
  });
});

test('without a value, expected of the case is compared', () => {
  const subject = { ...subjectOf('kitten'), expected: 'kitten' };
  const types = ['levenshtein', 'rouge', 'bleu'];
  expect(
    judge(
      subject,
      types.map((type) => ({ type })),
      depsFor('/nowhere'),
    ),
  ).toEqual(types.map((type) => ({ type, status: 'passed', score: 1 })));
});

test.each(['rouge', 'bleu'])('%s: an expected text without words is an error', (type) => {
  expect(verdictOn('yes', { type, value: '!' })).toEqual({
    type,
    status: 'error',
    message: 'the expected text has no words to compare with',
  });
});

test('long texts are compared in another process, because time grows with both lengths', () => {
  const long = 'x'.repeat(5000);
  const place = (fields: Partial<Assertion>, expected?: string) =>
    judgedElsewhere({ id: 'a', input: 'b', expected, assert: { type: 'levenshtein', ...fields } });
  expect(place({ value: long })).toEqual({ apart: true, asks: false });
  expect(place({}, long)).toEqual({ apart: true, asks: false });
  expect(place({ value: 'x' }, long)).toEqual({ apart: false, asks: false });
});
