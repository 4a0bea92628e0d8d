import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Assertion } from '../model/case.ts';
import { findProblems } from '../schema/problems.ts';
import { assertionsShape } from './check.ts';
import { judge } from './judge.ts';
import { depsFor, subjectOf } from './judge.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-transform-'));
beforeAll(() => {
  mkdirSync(join(root, 'scripts'));
  writeFileSync(
    join(root, 'scripts/text.ts'),
    `export async function Lower(output: string) { return output.toLowerCase(); }
export function Nothing() {}
export function Throws() { throw new Error('broken'); }`,
  );
});
afterAll(() => rmSync(root, { recursive: true }));

const on = async (output: unknown, assertions: Assertion[], transform?: string) =>
  judge(subjectOf(output), assertions, { ...depsFor(root), transform });

test('an assertion judges the value of its transform, and shows it', async () => {
  expect(
    await on({ answer: ' Yes ' }, [
      { type: 'equals', value: 'Yes', transform: 'output.answer.trim()' },
      { type: 'equals', value: 'no', transform: 'output.answer.trim()' },
      { type: 'equals', value: { answer: ' Yes ' } },
    ]),
  ).toEqual([
    { type: 'equals', status: 'passed' },
    expect.objectContaining({ type: 'equals', status: 'failed', expected: 'no', actual: 'Yes' }),
    { type: 'equals', status: 'passed' },
  ]);
});

test('the transform of the case comes first, for all assertions', async () => {
  expect(
    await on(
      { answer: ' Yes ' },
      [
        { type: 'equals', value: 'Yes' },
        { type: 'equals', value: 'yes', transform: 'scripts.text.Lower' },
        { type: 'expression', value: 'output === "Yes"' },
      ],
      'output.answer.trim()',
    ),
  ).toEqual([
    { type: 'equals', status: 'passed' },
    { type: 'equals', status: 'passed' },
    { type: 'expression', status: 'passed' },
  ]);
});

test('a transform that fails or gives nothing is an error, negated or not', async () => {
  const equals = (transform: string): Assertion => ({ type: 'equals', value: 1, negate: true, transform });
  const error = (message: string) => ({ type: 'equals', status: 'error', message, negate: true });
  expect(
    await on('text', [
      equals('output.a.b'),
      equals('undefined'),
      equals('json.total'),
      equals('scripts.text.Throws'),
      equals('scripts.text.Nothing'),
    ]),
  ).toEqual([
    error("the transform failed: TypeError: Cannot read properties of undefined (reading 'b')"),
    error('the transform gave undefined, but must give the value that is judged'),
    error('the transform failed: no JSON found in the answer'),
    error('the transform scripts.text.Throws failed: broken'),
    error('the transform gave undefined, but must give the value that is judged'),
  ]);
  expect(await on('text', [equals('1'), equals('2')], '[].a.b')).toEqual([
    {
      type: 'transform',
      status: 'error',
      message: "the transform failed: TypeError: Cannot read properties of undefined (reading 'b')",
    },
  ]);
});

test('mistakes are found before anything runs', () => {
  const check = (transform: unknown, type = 'equals') =>
    findProblems(assertionsShape, { type, value: '1s', transform }, { wrong: 'must be', root });
  expect(check('output.answer')).toEqual([]);
  expect(check('scripts.text.Lower')).toEqual([]);
  expect(check('output.')).toEqual([{ message: 'transform: invalid JavaScript: it ends too early' }]);
  expect(check('scripts.text.Lowr')).toEqual([
    {
      message: expect.stringContaining('transform: scripts.text.Lowr: no function "Lowr" in scripts/text.ts'),
    },
  ]);
  expect(check(5)).toEqual([
    expect.objectContaining({ message: '"transform" must be an expression or the name of a function' }),
  ]);
  expect(check('1', 'latency')).toEqual([
    { message: '"latency" does not judge the answer, so it cannot have "transform"' },
  ]);
});
