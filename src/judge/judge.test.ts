import { expect, test } from 'vitest';
import type { Assertion, TestCase } from '../model/case.ts';
import { depsFor, subjectOf, verdictOn } from './judge.fixture.ts';
import { listAssertions, judge, judgeAnswer } from './judge.ts';

const deps = depsFor('/nowhere');

test('all assertions are evaluated, in their order', () => {
  const verdicts = judge(
    subjectOf('hello'),
    [
      { type: 'contains', value: 'x' },
      { type: 'equals', value: 'hello' },
      { type: 'regex', value: '(' },
      { type: 'contains', value: 'y' },
    ],
    deps,
  );
  expect(verdicts).toEqual([
    {
      type: 'contains',
      status: 'failed',
      message: 'the answer does not contain "x"',
      expected: 'x',
      actual: 'hello',
    },
    { type: 'equals', status: 'passed' },
    { type: 'regex', status: 'error', message: 'error parsing regexp: missing closing ): `(`' },
    {
      type: 'contains',
      status: 'failed',
      message: 'the answer does not contain "y"',
      expected: 'y',
      actual: 'hello',
    },
  ]);
});

test('negate inverts a judgement', () => {
  expect(verdictOn('fine', { type: 'contains', value: 'error', negate: true })).toEqual({
    type: 'contains',
    status: 'passed',
  });
  expect(verdictOn('an error', { type: 'contains', value: 'error', negate: true })).toEqual({
    type: 'contains',
    status: 'failed',
    message: '"contains" holds, but is negated',
    negate: true,
    expected: 'error',
    actual: 'an error',
  });
});

test('negate never turns an error into a pass', () => {
  expect(verdictOn('x', { type: 'regex', value: '(', negate: true })).toEqual({
    type: 'regex',
    status: 'error',
    message: 'error parsing regexp: missing closing ): `(`',
    negate: true,
  });
  expect(verdictOn('x', { type: 'nonsense', negate: true })).toMatchObject({ status: 'error' });
  expect(verdictOn({}, { type: 'json_path', path: '$[', negate: true })).toMatchObject({
    status: 'error',
    path: '$[',
  });
});

test('the message of the author comes first', () => {
  expect(verdictOn('x', { type: 'contains', value: 'y', message: 'must say y' }).message).toBe(
    'must say y: the answer does not contain "y"',
  );
  expect(verdictOn('x', { type: 'regex', value: '(', message: 'must fit' }).message).toBe(
    'must fit: error parsing regexp: missing closing ): `(`',
  );
});

test('what cannot be written as JSON or is nested too deep is an error, not a crash', () => {
  expect(verdictOn({ n: 1n }, { type: 'contains', value: 'x' })).toMatchObject({ status: 'error' });
  let nested: unknown = [];
  for (let depth = 0; depth < 200_000; depth++) nested = [nested];
  expect(verdictOn(nested, { type: 'equals', value: 1 })).toMatchObject({ status: 'error' });
});

test('large values are cut in the verdict', () => {
  const verdict = verdictOn('x'.repeat(100_000), { type: 'equals', value: 'y' });
  expect(verdict.actual).toBe(`${'x'.repeat(4096)}… (100000 characters)`);
  expect(JSON.stringify(verdict).length).toBeLessThan(20_000);
});

test.each<[string, Partial<TestCase>, unknown]>([
  [
    'one assertion',
    { assert: { type: 'type', value: 'object' }, expected: 1 },
    [{ type: 'type', value: 'object' }],
  ],
  ['a list', { assert: [{ type: 'contains', value: 'x' }] }, [{ type: 'contains', value: 'x' }]],
  ['expected', { expected: { a: 1 } }, [{ type: 'equals', value: { a: 1 } }]],
  ['expected null', { expected: null }, [{ type: 'equals', value: null }]],
  ['nothing', {}, []],
])('listAssertions: %s', (_name, fields, expected) => {
  expect(listAssertions({ id: 'T', input: 'x', ...fields })).toEqual(expected);
});

test.each<[unknown, 'passed' | 'failed']>([
  ['an answer', 'passed'],
  [0, 'passed'],
  [false, 'passed'],
  [{}, 'passed'],
  ['', 'failed'],
  [' \n', 'failed'],
  [null, 'failed'],
  [undefined, 'failed'],
])('a case that asks for nothing: %j has %s', (output, status) => {
  const verdicts = judgeAnswer({ id: 'T', input: 'x' }, subjectOf(output), deps);
  const failed = { type: 'answered', status, message: 'no answer' };
  expect(verdicts).toEqual([status === 'passed' ? { type: 'answered', status } : failed]);
});

test('an empty answer is judged like any other when something is asked', () => {
  expect(judgeAnswer({ id: 'T', input: 'x', expected: '' }, subjectOf(''), deps)).toEqual([
    { type: 'equals', status: 'passed' },
  ]);
});

test.each<[string, Assertion, object]>([
  ['holds', { type: 'contains', value: 'a', metric: 'm' }, { status: 'passed', score: 1 }],
  ['does not hold', { type: 'contains', value: 'x', metric: 'm' }, { status: 'failed', score: 0 }],
  [
    'is negated and holds',
    { type: 'contains', value: 'x', metric: 'm', negate: true },
    { status: 'passed', negate: true, score: 0 },
  ],
  [
    'combines others',
    { type: 'any_of', value: [{ type: 'contains', value: 'a' }], metric: 'm' },
    { status: 'passed', score: 1 },
  ],
  ['has a score', { type: 'levenshtein', value: 'abcd', threshold: 0, metric: 'm' }, { score: 0.75 }],
])('an assertion with a metric that %s has a score', (_name, assertion, verdict) => {
  expect(verdictOn('abc', assertion)).toMatchObject({ type: assertion.type, metric: 'm', ...verdict });
});

test('an assertion with a metric that cannot be judged has no score', () => {
  const verdict = verdictOn('abc', { type: 'cost', value: 1, metric: 'm' });
  expect(verdict).toEqual({ type: 'cost', status: 'error', message: expect.any(String), metric: 'm' });
});
