// Weights, pass_score and advisory assertions through the whole program, and what reports say about them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, folder, readLog } from '../support/assay.ts';

const ECHO = 'export default (messages) => messages[0].content;';
const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];
const NOT_X = 'the answer does not contain "x"';
const HAS_H = { type: 'contains', value: 'h' };
const HAS_X = { type: 'contains', value: 'x' };

async function run(cases: unknown[], more: readonly string[] = []) {
  const cwd = folder({ 'agent.mjs': ECHO, 'cases.jsonl': cases });
  const finished = await assay([...RUN, ...more], { cwd });
  return { ...finished, read: (name: string) => readFileSync(join(cwd, name), 'utf8'), cwd };
}

test('a weighted score decides, and the failure says score and limit', async () => {
  const { exitCode, stdout, cwd } = await run([
    { id: 'enough', input: 'hello', assert: [{ ...HAS_H, weight: 4 }, HAS_X], pass_score: 0.8 },
    { id: 'less', input: 'hello', assert: [{ ...HAS_H, weight: 2 }, HAS_X], pass_score: 0.8 },
    { id: 'weighed', input: 'hello', assert: [{ ...HAS_H, weight: 2, metric: 'letters' }] },
  ]);
  expect(exitCode).toBe(1);
  const failed = { type: 'contains', status: 'failed', message: NOT_X, expected: 'x', actual: 'hello' };
  expect(
    readLog(join(cwd, 'log.jsonl')).results.map(({ id, status, score, pass_score, error, verdicts }) => {
      return { id, status, score, pass_score, error, verdicts };
    }),
  ).toEqual([
    {
      id: 'enough',
      status: 'passed',
      score: 0.8,
      pass_score: 0.8,
      verdicts: [{ type: 'contains', status: 'passed', weight: 4 }, failed],
    },
    {
      id: 'less',
      status: 'failed',
      score: 0.666666667,
      pass_score: 0.8,
      error: `score 0.66, wanted at least 0.8: ${NOT_X}`,
      verdicts: [{ type: 'contains', status: 'passed', weight: 2 }, failed],
    },
    {
      id: 'weighed',
      status: 'passed',
      score: 1,
      verdicts: [{ type: 'contains', status: 'passed', score: 1, weight: 2, metric: 'letters' }],
    },
  ]);
  expect(stdout).toContain(
    `  └─ pass_score: score 0.66, wanted at least 0.8\n  └─ contains: ${NOT_X}\n     expected: x\n     actual: hello\n`,
  );
});

test('an advisory assertion is shown in every report, and decides nothing', async () => {
  const { exitCode, stdout, read, cwd } = await run(
    [
      {
        id: 'a',
        input: 'hello',
        assert: [HAS_H, { ...HAS_X, advisory: true }, { type: 'cost', value: 1, advisory: true }],
      },
      { id: 'only', input: 'hello', assert: { ...HAS_X, advisory: true } },
    ],
    ['-o', 'report.md', '-o', 'report.xml', '-o', 'report.html'],
  );
  const unclear = /advisory could not be judged: cost: .*cost/;
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`  └─ advisory: contains: ${NOT_X}\n  └─ advisory could not be judged: cost: `);
  expect(stdout).toContain('Summary: 2 passed, 0 failed, 0 skipped');
  expect(read('report.md')).toContain(
    `**Advisory**\n\n- advisory: contains: the answer does not contain "x"\n`,
  );
  expect(read('report.md')).toMatch(unclear);
  expect(read('report.xml')).toContain(
    `<system-out>advisory: contains: the answer does not contain "x"\nadvisory could not be judged: `,
  );
  expect(read('report.xml')).toContain('failures="0" errors="0"');
  const [, only] = readLog(join(cwd, 'log.jsonl')).results;
  expect(only?.verdicts).toEqual([
    { type: 'answered', status: 'passed' },
    { type: 'contains', status: 'failed', message: NOT_X, expected: 'x', actual: 'hello', advisory: true },
  ]);
});

test('runs that found the same share a line', async () => {
  const { exitCode, stdout } = await run(
    [{ id: 'a', input: 'hello', assert: [HAS_H, { ...HAS_X, advisory: true }] }],
    ['--runs', '3'],
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`  └─ advisory: contains: ${NOT_X} (3 of 3 runs)\n`);
});

test('with a pass_score, an assertion that could not be judged makes the case an error', async () => {
  const { exitCode, cwd } = await run([
    { id: 'a', input: 'hello', assert: [HAS_H, HAS_X, { type: 'cost', value: 1 }], pass_score: 0.1 },
  ]);
  expect(exitCode).toBe(3);
  const [result] = readLog(join(cwd, 'log.jsonl')).results;
  expect(result).toMatchObject({ status: 'error', code: 'judge', pass_score: 0.1 });
  expect(result?.score).toBeUndefined();
});

test('long texts are compared in another process, which can be killed', async () => {
  const long = 'kitten '.repeat(1000);
  const { exitCode, cwd } = await run([
    { id: 'a', input: `${long}x`, expected: long, assert: [{ type: 'levenshtein' }, { type: 'rouge' }] },
  ]);
  expect(exitCode).toBe(0);
  const [result] = readLog(join(cwd, 'log.jsonl')).results;
  expect(result?.verdicts).toEqual([
    { type: 'levenshtein', status: 'passed', score: 1 - 1 / 7001 },
    { type: 'rouge', status: 'passed', score: 2000 / 2001 },
  ]);
});

test('an expected that no assertion uses is noted once, and is no error', async () => {
  const { exitCode, stderr } = await run([
    { id: 'used', input: 'hello', expected: 'hello', assert: { type: 'similar' } },
    { id: 'first', input: 'hello', expected: 'y', assert: HAS_H },
    { id: 'second', input: 'hello', expected: 'y', assert: [HAS_H] },
    { id: 'alone', input: 'hello', expected: 'hello' },
  ]);
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    'cases.jsonl:2: no assertion of the case uses its "expected"; "assert" takes precedence; 2 cases of the file are like this\n',
  );
});

test('--min-pass-rate 0 only reports: failures are exit 0, what could not be measured is not', async () => {
  const failing = { id: 'a', input: 'hello', assert: HAS_X };
  const reported = await run([failing], ['--min-pass-rate', '0']);
  expect(reported.exitCode).toBe(0);
  expect(reported.stdout).toContain('Summary: 0 passed, 1 failed, 0 skipped');
  expect(reported.stdout).toContain('Report only: with --min-pass-rate 0, failures do not fail the run\n');
  expect(readLog(join(reported.cwd, 'log.jsonl')).summary).toMatchObject({ failed: 1, exit_code: 0 });

  const unclear = { id: 'b', input: 'hello', assert: { type: 'cost', value: 1 } };
  const unmeasured = await run([failing, unclear], ['--min-pass-rate', '0']);
  expect(unmeasured.exitCode).toBe(3);
  expect(unmeasured.stdout).toContain('Summary: 0 passed, 1 failed, 0 skipped, 1 could not be measured');
});

test('with gates, --min-pass-rate 0 leaves the answer to them', async () => {
  const failing = { id: 'a', input: 'hello', assert: HAS_X };
  expect((await run([failing], ['--min-pass-rate', '0', '--gate', 'pass_rate >= 50'])).exitCode).toBe(1);
});
