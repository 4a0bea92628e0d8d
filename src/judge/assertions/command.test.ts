import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Assertion } from '../../model/case.ts';
import { findProblems } from '../../schema/problems.ts';
import { assertionsShape } from '../check.ts';
import { judge } from '../judge.ts';
import { depsFor, subjectOf } from '../judge.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-command-assertion-'));
afterAll(() => rmSync(root, { recursive: true }));

const on = async (command: readonly string[], more: Partial<Assertion> = {}) => {
  const subject = {
    ...subjectOf('out', { tool_calls: [{ name: 'search' }], cost_usd: null }),
    expected: 'wanted',
    vars: { a: 1 },
    metadata: { b: 2 },
  };
  const [verdict] = await judge(subject, [{ type: 'command', value: command, ...more }], depsFor(root));
  return verdict;
};

const shell = (script: string, more?: Partial<Assertion>) => on(['sh', '-c', script], more);

test('the program gets the answer as JSON on stdin, in the folder of the cases', async () => {
  writeFileSync(join(root, 'show.sh'), 'printf "%s " "$PWD"; cat; exit 1');
  expect(await on(['sh', 'show.sh'])).toEqual({
    type: 'command',
    status: 'failed',
    message: `${root} {"output":"out","input":"question","expected":"wanted","vars":{"a":1},"metadata":{"b":2},"tool_calls":[{"name":"search"}],"duration_ms":1500}`,
    expected: 'wanted',
    actual: 'out',
  });
});

test('judges by its exit code or by what it prints', async () => {
  expect(await shell('exit 0')).toEqual({ type: 'command', status: 'passed' });
  expect(await shell('exit 1', { negate: true })).toEqual({ type: 'command', status: 'passed' });
  expect(await shell('exit 1')).toMatchObject({ status: 'failed', message: 'sh says no' });
  expect(await shell(`echo '{"pass": true, "score": 0.5, "reason": "half"}'`)).toEqual({
    type: 'command',
    status: 'passed',
    score: 0.5,
    reason: 'half',
  });
});

test('any other end is an error, negated or not', async () => {
  const message = async (work: ReturnType<typeof on>) => {
    const { status, message: text } = (await work) ?? {};
    return `${String(status)}: ${String(text)}`;
  };
  expect(await message(shell('exit 3', { negate: true }))).toBe(
    'error: sh exited with code 3, but must exit with 0 if the answer passes and 1 if it fails',
  );
  expect(await message(shell('kill -9 $$'))).toBe('error: sh was ended by SIGKILL');
  expect(await message(on(['./gone.sh']))).toBe(
    `error: cannot start ./gone.sh: no such file: ${join(root, 'gone.sh')}`,
  );
  expect(await message(shell('head -c 30000000 /dev/zero'))).toMatch(
    /^error: sh printed [\d.]+ MB; at most 10 MB of a judgement is read$/,
  );
});

test('the value is a list of texts', () => {
  const check = (value: unknown) =>
    findProblems(assertionsShape, { type: 'command', value }, { wrong: 'must be' });
  expect(check(['python3', 'check.py'])).toEqual([]);
  expect(check(undefined)).toEqual([{ message: '"command" needs a "value"' }]);
  for (const value of ['python3 check.py', [], [''], ['python3', 1]])
    expect(check(value)).toEqual([
      {
        message: `"command" needs a program and its arguments as "value", not ${JSON.stringify(value)}`,
        hint: 'write a list such as ["python3", "check.py"]',
      },
    ]);
});
