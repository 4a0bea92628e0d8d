import { expect, test } from 'vitest';
import { commitText, countsText, rateInterval, runName, runVerdict } from './run-facts.ts';

const SUMMARY = {
  total: 12,
  passed: 7,
  failed: 4,
  skipped: 1,
  errors: 1,
  timeouts: 1,
  duration_ms: 5,
  total_runs: 12,
  runs_per_case: 1,
  overall_pass_rate: 70,
  stable_cases: 11,
  unstable_cases: 0,
};

const definition = (id: string): { id: string; name: string; sha256: string } => ({
  id,
  name: id.toUpperCase(),
  sha256: '',
});
const run = (tests: string[], suite: string | null = null) => ({
  agent_id: 'agent',
  subject: 'tests/cases.jsonl',
  tests: tests.map(definition),
  suite: suite === null ? null : definition(suite),
});

test('a run is called after its suite, its tests or its inputs', () => {
  expect(runName(run(['a', 'b'], 'nightly'))).toBe('NIGHTLY');
  expect(runName(run(['a']))).toBe('A');
  expect(runName(run(['a', 'b', 'c']))).toBe('A and 2 other tests');
  expect(runName(run([]))).toBe('tests/cases.jsonl');
  expect(runName({ ...run([]), subject: '' })).toBe('agent');
});

test('counts tell failures, errors and timeouts apart', () => {
  expect(countsText(SUMMARY)).toBe('7 passed, 2 failed, 1 error, 1 timeout, 1 skipped');
  expect(countsText({ ...SUMMARY, failed: 0, errors: 0, timeouts: 0, skipped: 0 })).toBe(
    '7 passed, 0 failed',
  );
});

test('the interval is that of the cases that were measured, if that is known', () => {
  const ran = { ...SUMMARY, total_runs: 11 };
  expect(rateInterval({ ...ran, errors: 0, overall_pass_rate: 63.6 })).toEqual({ low: 35.4, high: 84.8 });
  // The error was the agent's, or nobody's.
  expect(rateInterval({ ...ran, overall_pass_rate: 63.6 })).toEqual({ low: 35.4, high: 84.8 });
  expect(rateInterval({ ...ran, overall_pass_rate: 70 })).toEqual({ low: 39.7, high: 89.2 });
  expect(rateInterval(SUMMARY)).toBeUndefined();
  const kept = { low: 40, high: 90 };
  expect(rateInterval({ ...SUMMARY, pass_rate_interval: kept })).toEqual(kept);
  expect(rateInterval({ ...SUMMARY, overall_pass_rate: null })).toBeUndefined();
});

test('the verdict says what goes on, what ended and what was left', () => {
  const word = (exit_code: number | null, is_live = false): string =>
    runVerdict({ exit_code, finished_at: exit_code === null ? null : 'then', is_live, summary: SUMMARY })
      .word;
  expect([word(0), word(1), word(3), word(130), word(null), word(null, true)]).toEqual([
    'Passed',
    'Failed',
    'Not measured',
    'Stopped',
    'Unfinished',
    'Running',
  ]);
  const skipped = { ...SUMMARY, passed: 0, failed: 0 };
  expect(runVerdict({ exit_code: 0, finished_at: 'then', summary: skipped })).toEqual({
    word: 'Nothing ran',
    sign: '○',
    tone: 'warn',
  });
});

test('a commit is short, and marked if files had changed', () => {
  expect(commitText({ commit: '1234567890', dirty: true })).toBe('1234567+');
  expect(commitText({ commit: '1234567890' })).toBe('1234567');
  expect(commitText(null)).toBeUndefined();
});
