import { expect, test } from 'vitest';
import type { Counted } from './settle.ts';
import { cannotPass, countRun, noRuns, settleCase } from './settle.ts';

const PASSED: Counted = { status: 'passed' };
const FAILED: Counted = { status: 'failed' };
const TIMEOUT: Counted = { status: 'timeout' };
const CRASHED: Counted = { status: 'error', code: 'agent' };
const REFUSED: Counted = { status: 'error', code: 'connection' };
const SKIPPED: Counted = { status: 'skipped' };

test.each<[string, Counted[], number | undefined, ReturnType<typeof settleCase>]>([
  ['one pass', [PASSED], undefined, { status: 'passed', unmeasured: false, pass_rate: 100, stable: true }],
  ['one failure', [FAILED], undefined, { status: 'failed', unmeasured: false, pass_rate: 0, stable: false }],
  ['one crash', [CRASHED], undefined, { status: 'error', unmeasured: false, pass_rate: 0, stable: false }],
  [
    'not measured',
    [REFUSED],
    undefined,
    { status: 'error', unmeasured: true, pass_rate: null, stable: false },
  ],
  [
    'nothing ran',
    [SKIPPED, SKIPPED],
    undefined,
    { status: 'skipped', unmeasured: false, pass_rate: null, stable: false },
  ],
  [
    'a pass beside what was not run is no pass yet',
    [PASSED, PASSED, SKIPPED],
    undefined,
    { status: 'skipped', unmeasured: false, pass_rate: 100, stable: false },
  ],
  [
    'nor is a rate that was reached so far',
    [PASSED, PASSED, FAILED, SKIPPED],
    60,
    { status: 'skipped', unmeasured: false, pass_rate: 200 / 3, stable: false },
  ],
  [
    'a failure beside what was not run stays one',
    [PASSED, FAILED, SKIPPED],
    undefined,
    { status: 'failed', unmeasured: false, pass_rate: 50, stable: false },
  ],
  [
    'a rate that was out of reach is missed',
    [FAILED, FAILED, SKIPPED],
    50,
    { status: 'failed', unmeasured: false, pass_rate: 0, stable: false },
  ],
  [
    'an error beside what was not run stays one',
    [REFUSED, SKIPPED],
    undefined,
    { status: 'error', unmeasured: true, pass_rate: null, stable: false },
  ],
  [
    'failure beats timeout',
    [TIMEOUT, FAILED],
    undefined,
    { status: 'failed', unmeasured: false, pass_rate: 0, stable: false },
  ],
  [
    'timeout beats crash',
    [CRASHED, TIMEOUT],
    undefined,
    { status: 'timeout', unmeasured: false, pass_rate: 0, stable: false },
  ],
  [
    'a proven failure stays one',
    [REFUSED, FAILED],
    undefined,
    { status: 'failed', unmeasured: false, pass_rate: 0, stable: false },
  ],
  [
    'an error is no pass',
    [PASSED, REFUSED],
    undefined,
    { status: 'error', unmeasured: true, pass_rate: 100, stable: false },
  ],
  [
    'rate reached',
    [PASSED, PASSED, FAILED],
    66,
    { status: 'passed', unmeasured: false, pass_rate: 200 / 3, stable: false },
  ],
  [
    'rate missed',
    [PASSED, PASSED, FAILED],
    67,
    { status: 'failed', unmeasured: false, pass_rate: 200 / 3, stable: false },
  ],
  [
    'errors do not help the rate',
    [PASSED, REFUSED, REFUSED],
    50,
    { status: 'error', unmeasured: true, pass_rate: 100, stable: false },
  ],
  [
    'a rate of 0 still needs a pass',
    [FAILED],
    0,
    { status: 'failed', unmeasured: false, pass_rate: 0, stable: false },
  ],
])('%s', (_name, runs, minPassRate, end) => {
  expect(settleCase(runs, minPassRate)).toEqual(end);
});

test('a run that never came counts like one that was skipped', () => {
  expect(settleCase([PASSED], undefined, 1)).toEqual(settleCase([PASSED, SKIPPED]));
});

test('knows when a case cannot pass any more', () => {
  const isLost = (runs: Counted[], remaining: number, minPassRate?: number): boolean => {
    const counts = noRuns();
    for (const run of runs) countRun(counts, run);
    return cannotPass(counts, remaining, minPassRate);
  };
  expect(isLost([FAILED], 4)).toBe(true);
  expect(isLost([REFUSED], 4)).toBe(true);
  expect(isLost([PASSED], 4)).toBe(false);
  expect(isLost([PASSED, SKIPPED], 4)).toBe(false);
  expect(isLost([FAILED], 4, 80)).toBe(false);
  expect(isLost([FAILED, FAILED], 3, 80)).toBe(true);
});
