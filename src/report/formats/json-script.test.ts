import { expect, test } from 'vitest';
import type { RunEvent } from '../../model/event.ts';
import { jsonReport } from './json.ts';
import { sourceOf, textOfReport } from '../../../test/fixtures/logs/agent-log.ts';
import {
  everyEndRun,
  mixedScriptRun,
  repeatedScriptRun,
  scriptRun,
  twoScriptsRun,
} from '../../../test/fixtures/logs/script-log.ts';

type Report = Record<string, unknown> & { results: Record<string, unknown>[] };

async function reportOf(events: readonly RunEvent[]): Promise<Report> {
  // A cast, because this is what the tests are about.
  return JSON.parse(await textOfReport(jsonReport(sourceOf(events)))) as Report;
}

const FILE = 'expense/src/setup_test.ts';
const once = { runs: 1, consistency: 1, std_deviation_ms: 0 };

/** The stability fields of a test that ran once. */
function figures(ms: number, hasPassed: boolean): Record<string, unknown> {
  return {
    ...once,
    passed: hasPassed ? 1 : 0,
    failed: hasPassed ? 0 : 1,
    pass_rate: hasPassed ? 100 : 0,
    stable: hasPassed,
    stability_class: hasPassed ? 'Stable' : 'Highly Unstable',
    avg_duration_ms: ms,
    min_duration_ms: ms,
    max_duration_ms: ms,
  };
}

const assertion = { type: 'Equal', expected: 1, actual: 2, message: 'Result ID should match' };
const wrong = {
  error: 'assertion failed: Result ID should match',
  assertion,
  assertions: [{ ...assertion, at: `${FILE}:12:5` }],
  logs: [],
};

test('a run of one script is a script_test', async () => {
  const report = await reportOf(scriptRun());
  expect(report).toEqual({
    type: 'script_test',
    script: 'scripts.expense.setup',
    script_path: FILE,
    summary: {
      total: 3,
      passed: 2,
      failed: 1,
      skipped: 0,
      duration_ms: 35,
      errors: 0,
      timeouts: 0,
      total_cases: 3,
      total_runs: 3,
      runs_per_case: 1,
      overall_pass_rate: 66.7,
      pass_rate_interval: { low: 20.8, high: 93.9 },
      stable_cases: 2,
      unstable_cases: 1,
    },
    environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    results: [
      { name: 'TestSystemReady', status: 'passed', duration_ms: 12, logs: [], ...figures(12, true) },
      {
        name: 'TestSystemReadyWithInvalidContext',
        status: 'passed',
        duration_ms: 8,
        logs: [],
        ...figures(8, true),
      },
      {
        name: 'TestSetupWithMockData',
        status: 'failed',
        duration_ms: 15,
        ...wrong,
        ...figures(15, false),
      },
    ],
    skipped_cases: [],
    metadata: {
      started_at: '2024-12-17T10:00:00Z',
      completed_at: '2024-12-17T10:00:12Z',
      version: '0.1.0',
      run_id: '01939f0a-0000-7000-8000-000000000001',
    },
  });
  expect(Object.keys(report)).toEqual([
    'type',
    'script',
    'script_path',
    'summary',
    'environment',
    'results',
    'skipped_cases',
    'metadata',
  ]);
  expect(Object.keys(report.results[2] ?? {}).slice(0, 7)).toEqual([
    'name',
    'status',
    'duration_ms',
    'error',
    'assertion',
    'assertions',
    'logs',
  ]);
});

test('has everything about tests that ended in other ways', async () => {
  const { results, skipped_cases } = await reportOf(everyEndRun());
  const sums = { type: 'Equal', message: 'sums differ' };
  const subtest = 'TestTotal/empty cart/with tax';
  expect(results).toEqual([
    {
      name: 'TestNothing',
      status: 'passed',
      duration_ms: 0.2,
      no_assertions: true,
      logs: ['quiet'],
      ...figures(0.2, true),
      avg_duration_ms: 0,
    },
    {
      name: 'TestTotal',
      status: 'failed',
      duration_ms: 12,
      error: 'assertion failed: sums differ',
      assertion: sums,
      assertions: [
        { ...sums, diff: '- "total": 3\n+ "total": 4', at: `${FILE}:20:7` },
        { type: 'fail', message: 'no good', at: `${FILE}:21:5` },
        { type: 'Equal', expected: '1', actual: 1, message: 'tax', at: `${FILE}:24:9`, subtest },
      ],
      subtests: [
        { name: subtest, status: 'failed', duration_ms: 1, error: 'assertion failed: tax' },
        { name: 'TestTotal/empty cart', status: 'failed', duration_ms: 2, error: 'assertion failed: tax' },
        { name: 'TestTotal/one item', status: 'passed', duration_ms: 1 },
        { name: 'TestTotal/refunds', status: 'skipped', duration_ms: 0, error: 'not yet' },
      ],
      logs: ['begin', 'end'],
      ...figures(12, false),
    },
    {
      name: 'TestThrows',
      status: 'error',
      duration_ms: 3,
      error: 'TypeError: cart is undefined',
      stack: `TypeError: cart is undefined\n    at total (expense/src/setup.ts:4:10)\n    at TestThrows (${FILE}:30:3)`,
      logs: [],
      code: 'agent',
      ...figures(3, false),
    },
    {
      name: 'TestHangs',
      status: 'timeout',
      duration_ms: 30_000,
      error: 'timeout after 30s',
      logs: [],
      ...figures(30_000, false),
    },
  ]);
  expect(skipped_cases).toEqual([
    { name: 'TestLater', reason: 'skip', message: 'needs a database' },
    { name: 'TestLast', reason: 'fail_fast' },
  ]);
});

test('several scripts are named with every test', async () => {
  const { type, script, script_path, results, skipped_cases } = await reportOf(twoScriptsRun());
  const tools = { script: 'scripts.expense.tools', script_path: 'expense/src/tools_test.ts' };
  expect({ type, script, script_path }).toEqual({ type: 'script_test', script: 'scripts.expense' });
  expect(results).toEqual([
    {
      name: 'TestReady',
      script: 'scripts.expense.setup',
      script_path: FILE,
      status: 'passed',
      duration_ms: 12,
      logs: [],
      ...figures(12, true),
    },
    { name: 'TestReady', ...tools, status: 'failed', duration_ms: 15, ...wrong, ...figures(15, false) },
  ]);
  expect(skipped_cases).toEqual([{ name: 'TestLater', ...tools, reason: 'skip' }]);
});

test('several runs have their details', async () => {
  const { results } = await reportOf(repeatedScriptRun());
  expect(results).toEqual([
    {
      name: 'TestReady',
      status: 'passed',
      duration_ms: 13,
      logs: [],
      runs: 3,
      passed: 2,
      failed: 1,
      pass_rate: 66.7,
      consistency: 1,
      stable: false,
      stability_class: 'Unstable',
      avg_duration_ms: 13,
      min_duration_ms: 12,
      max_duration_ms: 15,
      std_deviation_ms: 1.4,
      run_details: [
        { run: 1, status: 'passed', duration_ms: 12, logs: [] },
        { run: 2, status: 'failed', duration_ms: 15, ...wrong, logs: ['slow today'] },
        { run: 3, status: 'passed', duration_ms: 12, logs: [] },
      ],
    },
  ]);
});

test('beside agents, tests of scripts have the fields of both', async () => {
  const { type, summary, results } = await reportOf(mixedScriptRun());
  expect({ type, summary }).toMatchObject({ type: undefined, summary: { agent_id: 'keyword, expense' } });
  const place = { test_id: 'scripts.expense.setup', script: 'scripts.expense.setup', script_path: FILE };
  const empty = { input: null, output: null, expected: null };
  expect(results.slice(1)).toEqual([
    {
      id: 'TestSetup',
      name: 'TestSetup',
      status: 'failed',
      duration_ms: 15,
      ...empty,
      ...place,
      ...wrong,
      ...figures(15, false),
    },
    {
      id: 'TestNothing',
      name: 'TestNothing',
      status: 'passed',
      duration_ms: 12,
      ...empty,
      ...place,
      error: null,
      no_assertions: true,
      logs: [],
      ...figures(12, true),
    },
  ]);
});
