import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Assertion } from '../../model/case.ts';
import { findProblems } from '../../schema/problems.ts';
import { assertionsShape } from '../check.ts';
import { judge } from '../judge.ts';
import { depsFor, subjectOf } from '../judge.fixture.ts';

let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-script-assertion-'));
  mkdirSync(join(root, 'scripts'));
  writeFileSync(
    join(root, 'scripts', 'test.ts'),
    `export function Yes(): boolean { return true; }
export async function Later(output: string) { return { pass: output === 'good', message: 'it is ' + output }; }
export function Echo(output: unknown, input: unknown, expected: unknown) {
  return { pass: false, message: JSON.stringify([output, input, expected]) };
}
function Hidden() { return false; }
export function Odd() { return 'yes'; }
export function Scored(score: number) { return { pass: true, score, reason: 'counted' }; }
export function Throws() { throw new Error('broken script'); }
export function Spoils(output: { a?: number }) { delete output.a; return true; }
`,
  );
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const on = async (output: unknown, assertions: Assertion[], expected?: unknown) =>
  judge({ ...subjectOf(output), ...(expected !== undefined && { expected }) }, assertions, depsFor(root));

test('a script returns a boolean or an object, at once or later, exported or not', async () => {
  expect(
    await on('good', [
      { type: 'script', script: 'scripts.test.Yes' },
      { type: 'script', script: 'scripts.test.Later' },
      { type: 'script', script: 'scripts.test.Hidden' },
    ]),
  ).toEqual([
    { type: 'script', status: 'passed' },
    { type: 'script', status: 'passed' },
    { type: 'script', status: 'failed', message: 'scripts.test.Hidden says no', actual: 'good' },
  ]);
});

test('it gets the output, the input, and the value or else the expected of the case', async () => {
  const script = 'scripts.test.Echo';
  const [first, second] = await on(
    'out',
    [
      { type: 'script', script, value: { v: 1 } },
      { type: 'script', script },
    ],
    'wanted',
  );
  expect(first).toMatchObject({ message: '["out","question",{"v":1}]', expected: { v: 1 } });
  expect(second).toMatchObject({ message: '["out","question","wanted"]', expected: 'wanted' });
});

test('what throws or returns something else is an error, negated or not', async () => {
  expect(
    await on('x', [
      { type: 'script', script: 'scripts.test.Throws', negate: true },
      { type: 'script', script: 'scripts.test.Odd', message: 'odd' },
      { type: 'script', script: 'scripts.test.Yes', negate: true },
    ]),
  ).toEqual([
    { type: 'script', status: 'error', message: 'broken script', negate: true },
    {
      type: 'script',
      status: 'error',
      message:
        'odd: scripts.test.Odd returned "yes", but it must be true, false, a score from 0 to 1 or {pass, score, message}',
    },
    {
      type: 'script',
      status: 'failed',
      message: '"script" holds, but is negated',
      negate: true,
      actual: 'x',
    },
  ]);
});

test('a score is kept, decides with a threshold, and must be from 0 to 1', async () => {
  const scored = { type: 'script', script: 'scripts.test.Scored' };
  expect([
    ...(await on(0.5, [scored, { ...scored, threshold: 0.5 }, { ...scored, threshold: 0.7 }])),
    ...(await on(1.5, [scored])),
  ]).toEqual([
    { type: 'script', status: 'passed', score: 0.5, reason: 'counted' },
    { type: 'script', status: 'passed', score: 0.5, reason: 'counted' },
    { type: 'script', status: 'failed', message: 'counted', actual: 0.5, score: 0.5, reason: 'counted' },
    {
      type: 'script',
      status: 'error',
      message:
        'scripts.test.Scored returned {"pass":true,"score":1.5,"reason":"counted"}, but "score" must be a number from 0 to 1',
    },
  ]);
});

test('a script cannot change what the other assertions see', async () => {
  expect(
    await on({ a: 1 }, [
      { type: 'script', script: 'scripts.test.Spoils' },
      { type: 'equals', value: { a: 1 } },
    ]),
  ).toEqual([
    { type: 'script', status: 'passed' },
    { type: 'equals', status: 'passed' },
  ]);
});

test('a script that does not exist is found before anything runs', () => {
  const check = (assertion: unknown) => findProblems(assertionsShape, assertion, { wrong: 'must be', root });
  expect(check({ type: 'script', script: 'scripts.test.Yes' })).toEqual([]);
  expect(check({ type: 'script', script: 'scripts.test.Yess' })).toEqual([
    { message: expect.stringContaining('scripts.test.Yess: no function "Yess" in scripts/test.ts') },
  ]);
  expect(check({ type: 'script' })).toEqual([
    { message: '"script" needs the name of a function as "script", such as "scripts.test.Validate"' },
  ]);
});
