import { expect, test } from 'vitest';
import { runExitCode } from './exit-code.ts';
import { createTally } from './tally.ts';

test('counts cases by their end and runs by what executed', () => {
  const tally = createTally({ runs: 2 });
  for (const status of ['passed', 'passed'] as const) tally.add('stable', { status });
  for (const status of ['passed', 'failed'] as const) tally.add('flaky', { status });
  for (const status of ['timeout', 'timeout'] as const) tally.add('slow', { status });
  tally.add('refused', { status: 'error', code: 'connection' });
  tally.add('left out', { status: 'skipped' });
  tally.add('refused', { status: 'error', code: 'connection' });
  tally.add('left out', { status: 'skipped' });

  expect(tally.summary(1234.5)).toEqual({
    total: 5,
    passed: 1,
    failed: 3,
    skipped: 1,
    errors: 1,
    timeouts: 1,
    unmeasured: 1,
    duration_ms: 1235,
    total_runs: 8,
    runs_per_case: 2,
    overall_pass_rate: 50,
    stable_cases: 1,
    unstable_cases: 3,
  });
  expect(tally.failures()).toEqual({ failures: 2, unmeasured: 1 });
});

test('tells as soon as a case is lost, and again when it is complete', () => {
  const tally = createTally({ runs: 3, minPassRate: 60 });
  expect(tally.add('a', { status: 'failed' })).toBeUndefined();
  expect(tally.add('a', { status: 'failed' })).toMatchObject({ complete: false, end: { status: 'failed' } });
  expect(tally.add('a', { status: 'passed' })).toMatchObject({ complete: true, end: { status: 'failed' } });
});

test('a case that ran only partly is skipped, unless it is lost already', () => {
  const tally = createTally({ runs: 3 });
  for (const status of ['passed', 'passed', 'skipped'] as const) tally.add('open', { status });
  for (const status of ['passed', 'failed', 'skipped'] as const) tally.add('lost', { status });
  expect(tally.summary(0)).toEqual({
    total: 2,
    passed: 0,
    failed: 1,
    skipped: 1,
    errors: 0,
    timeouts: 0,
    duration_ms: 0,
    total_runs: 4,
    runs_per_case: 3,
    overall_pass_rate: 75,
    stable_cases: 0,
    unstable_cases: 1,
  });
});

test('counts a hundred thousand runs of a case without looking at all of them again and again', () => {
  const runs = 100_000;
  const tally = createTally({ runs });
  for (let run = 0; run < runs; run += 1) tally.add('a', { status: 'passed' });
  expect(tally.summary(0)).toMatchObject({ total: 1, passed: 1, total_runs: runs, stable_cases: 1 });
}, 2000);

test('has no pass rate when nothing could be measured', () => {
  const tally = createTally({ runs: 1 });
  tally.add('a', { status: 'error', code: 'rate_limit' });
  expect(tally.summary(0).overall_pass_rate).toBeNull();
});

test.each([
  [{ failures: 0, unmeasured: 0, interrupted: false }, 0],
  [{ failures: 1, unmeasured: 0, interrupted: false }, 1],
  [{ failures: 1, unmeasured: 1, interrupted: false }, 1],
  [{ failures: 0, unmeasured: 1, interrupted: false }, 3],
  [{ failures: 1, unmeasured: 1, interrupted: true }, 130],
])('exit code of %j is %i', (run, code) => {
  expect(runExitCode(run)).toBe(code);
});

test('adds up what model calls took, those of judges included; an unknown price makes the sum unknown', () => {
  const tally = createTally({ runs: 1 });
  const usage = { input_tokens: 10, output_tokens: 2 };
  tally.add('a', { status: 'passed' });
  expect(Object.keys(tally.summary(0))).not.toContain('usage');
  tally.add('b', { status: 'passed', usage, cost_usd: 0.5 });
  tally.add('c', { status: 'failed', verdicts: [{}, { usage, cost_usd: 0.25 }] });
  expect(tally.summary(0)).toMatchObject({ usage: { input_tokens: 20, output_tokens: 4 }, cost_usd: 0.75 });
  tally.add('d', { status: 'passed', usage: { input_tokens: 1 }, cost_usd: null });
  expect(tally.summary(0)).toMatchObject({ usage: { input_tokens: 21, output_tokens: 4 }, cost_usd: null });
});
