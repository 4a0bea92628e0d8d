import { expect, test } from 'vitest';
import type { ResultEvent, RunEvent } from '../../model/event.ts';
import { foldByVariable } from './by-variable.ts';
import { readOverview } from './overview.ts';
import { mixedRun, resultEvent, sourceOf, startEvent } from '../../../test/fixtures/logs/agent-log.ts';
import { matrixRun } from '../../../test/fixtures/logs/matrix-log.ts';

async function fold(events: readonly RunEvent[]) {
  const source = sourceOf(events);
  return foldByVariable(source, await readOverview(source));
}

/** The cases of a run that may fail for one value only; one run proves nothing. */
async function onlyFailures(results: readonly ResultEvent[], runs = 1) {
  const start = startEvent({ matrix: { A: [1, 2], B: ['x', 'y'] }, runs_per_case: runs });
  const { only_fails_for = [], may_only_fail_for = [] } = (await fold([start, ...results])) ?? {};
  expect(only_fails_for).toEqual([]);
  return may_only_fail_for.map(({ test_id, id, variable, value }) => ({ test_id, id, variable, value }));
}

const result = (A: number, B: string, fields: Partial<ResultEvent> = {}): ResultEvent =>
  resultEvent('T001', { test_id: 't', variables: { A, B }, ...fields });
const failed = { status: 'failed' } as const;
const unmeasured = { status: 'error', code: 'connection' } as const;

test('counts the cases of every value, and finds what fails for one only', async () => {
  expect(await fold(matrixRun())).toEqual({
    by_variable: {
      AIConfiguration: [
        {
          value: 'a',
          total: 5,
          passed: 4,
          failed: 1,
          skipped: 0,
          errors: 0,
          timeouts: 0,
          pass_rate: 90,
          interval: { low: 11.3, high: 99.8 },
          avg_duration_ms: 13,
          rank: [1, 2],
          may_be_best: true,
        },
        {
          value: 'b',
          total: 5,
          passed: 1,
          failed: 3,
          skipped: 1,
          errors: 1,
          timeouts: 1,
          pass_rate: 33.3,
          interval: { low: 0.1, high: 99.5 },
          avg_duration_ms: 262.5,
          rank: [1, 2],
          may_be_best: true,
        },
      ],
      Temperature: [
        {
          value: 0,
          total: 4,
          passed: 3,
          failed: 1,
          skipped: 0,
          errors: 0,
          timeouts: 0,
          pass_rate: 75,
          interval: { low: 0.7, high: 99.9 },
          avg_duration_ms: 15,
          rank: [1, 2],
          may_be_best: true,
        },
        {
          value: 0.7,
          total: 4,
          passed: 2,
          failed: 2,
          skipped: 0,
          errors: 1,
          timeouts: 1,
          pass_rate: 66.7,
          interval: { low: 0.5, high: 99.9 },
          avg_duration_ms: 258.8,
          rank: [1, 2],
          may_be_best: true,
        },
        {
          value: 0.3,
          total: 2,
          passed: 0,
          failed: 1,
          skipped: 1,
          errors: 0,
          timeouts: 0,
          pass_rate: 50,
          interval: { low: 5.5, high: 94.5 },
          avg_duration_ms: 20,
        },
      ],
    },
    best: [
      {
        variable: 'AIConfiguration',
        value: 'a',
        clear: false,
        p: 0.5,
        candidates: ['a', 'b'],
        more_runs: null,
      },
      { variable: 'Temperature', value: 0, clear: false, p: 1, candidates: [0, 0.7], more_runs: null },
    ],
    only_fails_for: [],
    may_only_fail_for: [
      { test_id: 'greeting', id: 'T002', variable: 'AIConfiguration', value: 'b', p: 0.5177, runs: 2 },
    ],
  });
});

test('a run without a matrix has nothing of this', async () => {
  expect(await fold(mixedRun())).toBeUndefined();
});

test('a value without any result has no rate and no time', async () => {
  const start = startEvent({ matrix: { A: [1], constructor: ['x'] } });
  const none = { total: 0, passed: 0, failed: 0, skipped: 0, errors: 0, timeouts: 0 };
  const counts = { ...none, pass_rate: null, interval: null, avg_duration_ms: null };
  expect(await fold([start, resultEvent('T001', { variables: { B: 1 } }), resultEvent('T002')])).toEqual({
    by_variable: { A: [{ value: 1, ...counts }], constructor: [{ value: 'x', ...counts }] },
    best: [],
    only_fails_for: [],
    may_only_fail_for: [],
  });
});

const onlyFor = (variable: string, value: unknown) => ({ test_id: 't', id: 'T001', variable, value });

test.each([
  ['all combinations passed', [result(1, 'x'), result(2, 'x')], []],
  ['all combinations failed', [result(1, 'x', failed), result(2, 'x', failed)], []],
  ['one value failed', [result(1, 'x'), result(2, 'x', failed)], [onlyFor('A', 2)]],
  [
    'one combination failed: both of its values may be why',
    [result(1, 'x'), result(1, 'y'), result(2, 'x'), result(2, 'y', failed)],
    [onlyFor('A', 2), onlyFor('B', 'y')],
  ],
  [
    'both values of A failed',
    [result(1, 'y', failed), result(2, 'y', failed), result(1, 'x')],
    [onlyFor('B', 'y')],
  ],
  ['the value passed as well', [result(1, 'x'), result(1, 'y', failed)], [onlyFor('B', 'y')]],
  ['a timeout is a failure', [result(1, 'x'), result(2, 'x', { status: 'timeout' })], [onlyFor('A', 2)]],
  [
    "the agent's own error is a failure",
    [result(1, 'x'), result(2, 'x', { status: 'error', code: 'agent' })],
    [onlyFor('A', 2)],
  ],
  ['what could not be measured is none', [result(1, 'x'), result(2, 'x', unmeasured)], []],
  [
    'what could not be measured does not count for another value',
    [result(1, 'x'), result(2, 'x', failed), result(1, 'y', unmeasured)],
    [onlyFor('A', 2)],
  ],
  ['what was skipped says nothing', [result(1, 'x', { status: 'skipped' }), result(2, 'x', failed)], []],
  [
    'cases with the same id are different in another test',
    [result(1, 'x', { test_id: 'other' }), result(2, 'x', failed)],
    [],
  ],
])('%s', async (_, results, expected) => {
  expect(await onlyFailures(results)).toEqual(expected);
});

test('a case of several runs is a failure if any of its errors is that of the agent', async () => {
  const ends = (...outcomes: Partial<ResultEvent>[]) =>
    outcomes.map((outcome, index) => result(2, 'x', { run: index + 1, ...outcome }));
  const passed = [result(1, 'x', { run: 1 }), result(1, 'x', { run: 2 })];
  const crashed = { status: 'error', code: 'agent' } as const;
  expect(await onlyFailures([...passed, ...ends(unmeasured, crashed)], 2)).toEqual([onlyFor('A', 2)]);
  expect(await onlyFailures([...passed, ...ends(unmeasured, unmeasured)], 2)).toEqual([]);
  expect(await onlyFailures([...passed, ...ends({}, unmeasured)], 2)).toEqual([]);
});
