import { expect, test } from 'vitest';
import { readJudgement } from './read-judgement.ts';

const read = (result: unknown, threshold?: number) =>
  readJudgement(result, { subject: 'it gave', threshold });

test('reads true, false and objects', () => {
  expect(read(true)).toEqual({ pass: true });
  expect(read(false)).toEqual({ pass: false });
  expect(read({ pass: false, score: 0, message: 'rude', reason: 'it shouts', more: 1 })).toEqual({
    pass: false,
    score: 0,
    message: 'rude',
    reason: 'it shouts',
  });
  expect(read({ pass: false, reason: 'it shouts', message: null })).toEqual({
    pass: false,
    message: 'it shouts',
    reason: 'it shouts',
  });
});

test('with a threshold the score decides, but pass: false always fails', () => {
  expect(read(0.8, 0.8)).toEqual({ pass: true, score: 0.8 });
  expect(read(0.7, 0.8)).toEqual({ pass: false, score: 0.7, message: 'score 0.7, wanted 0.8' });
  expect(read({ score: 1 }, 0.8)).toEqual({ pass: true, score: 1 });
  expect(read({ pass: true, score: 0.1 }, 0.8)).toEqual({
    pass: false,
    score: 0.1,
    message: 'score 0.1, wanted 0.8',
  });
  expect(read({ pass: false, score: 1 }, 0.8)).toEqual({ pass: false, score: 1 });
});

const FORMS = 'it must be true, false, a score from 0 to 1 or {pass, score, message}';

test.each([
  [undefined, undefined, `undefined, but ${FORMS}`],
  [null, undefined, `null, but ${FORMS}`],
  ['yes', undefined, `"yes", but ${FORMS}`],
  [[true], undefined, `[true], but ${FORMS}`],
  [{}, undefined, `{}, but ${FORMS}`],
  [Object.create({ pass: true }), undefined, `{}, but ${FORMS}`],
  [{ pass: 1 }, undefined, '{"pass":1}, but "pass" must be true or false'],
  [
    { pass: true, score: null },
    undefined,
    '{"pass":true,"score":null}, but "score" must be a number from 0 to 1',
  ],
  [
    { pass: true, score: -0.1 },
    undefined,
    '{"pass":true,"score":-0.1}, but "score" must be a number from 0 to 1',
  ],
  [{ pass: true, message: 1 }, undefined, '{"pass":true,"message":1}, but "message" must be a text'],
  [{ pass: true, reason: 1 }, undefined, '{"pass":true,"reason":1}, but "reason" must be a text'],
  [1.1, 0.5, '1.1, but "score" must be a number from 0 to 1'],
  [NaN, 0.5, 'null, but "score" must be a number from 0 to 1'],
  [0.5, undefined, '0.5, but a score decides only with a "threshold"; add one to the assertion'],
  [true, 0.5, 'true, but "threshold" needs a score'],
])('%j with the threshold %j is no judgement', (result, threshold, problem) => {
  expect(() => read(result, threshold)).toThrow(new Error(`it gave ${problem}`));
});
