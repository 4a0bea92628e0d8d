import { expect, test } from 'vitest';
import type { Embed } from '../assertion.ts';
import { depsFor, subjectOf, verdictOn } from '../judge.fixture.ts';
import { judge } from '../judge.ts';

const similar = (output: unknown, fields: object) => verdictOn(output, { type: 'similar', ...fields });

test.each<[string, unknown, object, number]>([
  ['the same text', 'Hello, world!', { value: 'hello world' }, 1],
  ['exactly as much as wanted by default', 'Healed', { value: 'Sealed' }, 0.8],
  ['as much as wanted', 'night', { value: 'nacht', threshold: 0.25 }, 0.25],
  ['nothing wanted', 'night', { value: 'xyz', threshold: 0 }, 0],
  ['JSON and JSON', { a: 1 }, { value: { a: 1 } }, 1],
])('passes: %s', (_name, output, fields, score) => {
  expect(similar(output, fields)).toEqual({ type: 'similar', status: 'passed', score });
});

test('a negated pass says so, because its low score is the good one', () => {
  expect(similar('night', { value: 'nacht', negate: true })).toEqual({
    type: 'similar',
    status: 'passed',
    negate: true,
    score: 0.25,
  });
});

test('a failure shows how similar it is and what is different', () => {
  expect(similar('Healthy', { value: 'Healed' })).toEqual({
    type: 'similar',
    status: 'failed',
    message: 'similarity of the spelling 0.54, wanted at least 0.8',
    expected: 'Healed',
    actual: 'Healthy',
    diff: '- expected\n+ actual\n\n- "Healed"\n+ "Healthy"',
    score: 6 / 11,
  });
  expect(similar('Sealed', { value: 'Healed', negate: true })).toEqual({
    type: 'similar',
    status: 'failed',
    message: '"similar" holds, but is negated',
    negate: true,
    expected: 'Healed',
    actual: 'Sealed',
    score: 0.8,
  });
});

test.each([
  // 6 of 11, which would be rounded to what is wanted.
  ['Healed', 'Healthy', 0.55, 'similarity of the spelling 0.54, wanted at least 0.55'],
  // 29 of 100 pairs, a number that times 100 is less than 29.
  [
    `${'a'.repeat(30)}${'b'.repeat(71)}`,
    `${'a'.repeat(30)}${'c'.repeat(71)}`,
    0.3,
    'similarity of the spelling 0.29, wanted at least 0.3',
  ],
])('a score just below the threshold does not look like it: %s', (value, output, threshold, message) => {
  expect(similar(output, { value, threshold }).message).toBe(message);
});

test('without a value, the expected of the case is compared', () => {
  const subject = { ...subjectOf('{"a":1}'), expected: { a: 1 } };
  const deps = depsFor('/nowhere');
  expect(judge(subject, [{ type: 'similar' }], deps)).toEqual([
    { type: 'similar', status: 'passed', score: 1 },
  ]);
  expect(judge(subject, [{ type: 'similar', value: 'zz' }], deps)).toMatchObject([{ status: 'failed' }]);
});

test('with nothing to compare with, it is an error', () => {
  expect(similar('x', { negate: true })).toEqual({
    type: 'similar',
    status: 'error',
    message: 'nothing to compare with: the assertion has no "value" and the case no "expected"',
    negate: true,
  });
});

test('a connector compares the vectors of both texts', async () => {
  const asked: unknown[] = [];
  const took = { usage: { input_tokens: 5 }, cost_usd: 0.5 };
  const embed: Embed = (connector, texts) => {
    asked.push([connector, texts]);
    const vectors = [
      [1, 0],
      [3, 4],
    ];
    return Promise.resolve({ vectors, ...took });
  };
  const assertions = [0.6, 0.61].map((threshold) => ({
    type: 'similar',
    value: 'yes',
    connector: 'vectors',
    threshold,
  }));
  expect(await judge(subjectOf('of course'), assertions, depsFor('/nowhere', { embed }))).toEqual([
    { type: 'similar', status: 'passed', score: 0.6, ...took },
    {
      type: 'similar',
      status: 'failed',
      message: 'similarity 0.6, wanted at least 0.61',
      expected: 'yes',
      actual: 'of course',
      diff: '- expected\n+ actual\n\n- "yes"\n+ "of course"',
      score: 0.6,
      ...took,
    },
  ]);
  expect(asked).toEqual([
    ['vectors', ['yes', 'of course']],
    ['vectors', ['yes', 'of course']],
  ]);
});

test.each<[string, Embed, string]>([
  ['that fails', () => Promise.reject(new Error('refused')), 'refused'],
  [
    'with too few vectors',
    () => Promise.resolve({ vectors: [[1]] }),
    'connector "vectors" gave 1 vectors for 2 texts',
  ],
  [
    'with vectors of different models',
    () => Promise.resolve({ vectors: [[1], [1, 2]] }),
    'vectors of 1 and 2 numbers cannot be compared',
  ],
])('a connector %s is an error, negated or not', async (_name, embed, message) => {
  const assertion = { type: 'similar', value: 'yes', connector: 'vectors' };
  const deps = depsFor('/nowhere', { embed });
  expect(await judge(subjectOf('x'), [assertion, { ...assertion, negate: true }], deps)).toEqual([
    { type: 'similar', status: 'error', message },
    { type: 'similar', status: 'error', message, negate: true },
  ]);
});

test('an empty answer needs no model to be unlike', () => {
  expect(similar(' ', { value: 'yes', connector: 'vectors' })).toMatchObject({ status: 'failed', score: 0 });
});
