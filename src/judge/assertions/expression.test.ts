import { expect, test } from 'vitest';
import type { Assertion } from '../../model/case.ts';
import { findProblems } from '../../schema/problems.ts';
import { assertionsShape } from '../check.ts';
import { judge } from '../judge.ts';
import { depsFor, subjectOf } from '../judge.fixture.ts';

const on = async (output: unknown, values: readonly string[], more: Partial<Assertion> = {}) =>
  judge(
    { ...subjectOf(output), expected: 'wanted', vars: { max: 2 } },
    values.map((value) => ({ type: 'expression', value, ...more })),
    depsFor('/nowhere'),
  );

test('true passes, false fails, an object says why', async () => {
  expect(
    await on({ items: [1] }, [
      'output.items.length < vars.max',
      'output.items.length >\n vars.max',
      'return { pass: expected === "other", score: 0.25, message: "not the other" }',
    ]),
  ).toEqual([
    { type: 'expression', status: 'passed' },
    {
      type: 'expression',
      status: 'failed',
      message: 'the expression does not hold: output.items.length > vars.max',
      expected: 'wanted',
      actual: { items: [1] },
    },
    {
      type: 'expression',
      status: 'failed',
      message: 'not the other',
      expected: 'wanted',
      actual: { items: [1] },
      score: 0.25,
    },
  ]);
});

test('a number is a score, which needs a threshold', async () => {
  expect(await on('four', ['output.length / 8'], { threshold: 0.5 })).toEqual([
    { type: 'expression', status: 'passed', score: 0.5 },
  ]);
  expect(await on('four', ['output.length / 8'])).toEqual([
    {
      type: 'expression',
      status: 'error',
      message:
        'the expression gave 0.5, but a score decides only with a "threshold"; add one to the assertion',
    },
  ]);
});

test('json of an answer without JSON is a failure; an error stays an error, negated or not', async () => {
  expect(await on('plain', ['json.total > 3'])).toEqual([
    {
      type: 'expression',
      status: 'failed',
      message: 'no JSON found in the answer',
      expected: 'wanted',
      actual: 'plain',
    },
  ]);
  expect(await on('plain', ['output.a.b', 'usage.output_tokens < 3', 'undefined'], { negate: true })).toEqual(
    [
      {
        type: 'expression',
        status: 'error',
        message: "the expression failed: TypeError: Cannot read properties of undefined (reading 'b')",
        negate: true,
      },
      {
        type: 'expression',
        status: 'error',
        message: 'the expression failed: Error: the agent does not report "usage"',
        negate: true,
      },
      {
        type: 'expression',
        status: 'error',
        message:
          'the expression gave undefined, but it must be true, false, a score from 0 to 1 or {pass, score, message}',
        negate: true,
      },
    ],
  );
});

test('a mistake is found before anything runs', () => {
  const check = (assertion: object) =>
    findProblems(assertionsShape, { type: 'expression', ...assertion }, { wrong: 'must be' });
  expect(check({ value: 'output.total > 3', threshold: 1 })).toEqual([]);
  expect(check({})).toEqual([{ message: '"expression" needs a "value"' }]);
  expect(check({ value: 3 })).toEqual([
    { message: '"expression" needs JavaScript as "value", a string, not 3' },
  ]);
  expect(check({ value: 'output.total > ) 3' })).toEqual([
    { message: 'the expression is not valid: Unexpected token (line 1, column 16)' },
  ]);
});
