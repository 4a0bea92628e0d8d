// What cases have cost, how long they took and how often they passed, over several runs.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/history/store/open-store.ts';
import type { Store } from '../../src/history/store/store.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';
import { DATABASES } from './databases.ts';

const TEST = 'tests/inputs.jsonl';
const FIRST = '01939f0a-0000-7000-8000-00000000000a';
const SECOND = '01939f0a-0000-7000-8000-00000000000b';
const THIRD = '01939f0a-0000-7000-8000-00000000000c';
const usage = { input_tokens: 10, output_tokens: 5 };

describe.each(DATABASES)('$name', ({ create }) => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore(await create());
    await store.importRun([
      startEvent({ run_id: FIRST }),
      resultEvent('A', { duration_ms: 10, usage, cost_usd: 0.5 }),
      resultEvent('A', { run: 2, key: 'A-2', duration_ms: 30, usage, cost_usd: 0.25, status: 'failed' }),
      resultEvent('B', { duration_ms: 40, usage, cost_usd: null }),
      resultEvent('C', { duration_ms: 7, test_id: 'other' }),
      summaryEvent(),
    ]);
    await store.importRun([
      startEvent({ run_id: SECOND }),
      resultEvent('A', { duration_ms: 20, usage, cost_usd: 1 }),
      resultEvent('B', { duration_ms: 5, status: 'error', code: 'connection', error: 'down' }),
      resultEvent('A', { key: 'A-de', duration_ms: 3, variables: { Language: 'de', Depth: 2 } }),
      summaryEvent(),
    ]);
    await store.importRun([
      startEvent({ run_id: THIRD }),
      resultEvent('A', { status: 'timeout', duration_ms: 99 }),
      summaryEvent(),
    ]);
  });
  afterEach(() => store.close());

  test('adds up the cases of runs, and those of a baseline apart', async () => {
    const { cases, runs } = await store.caseFigures({
      runs: [SECOND, FIRST],
      baseline: [FIRST, THIRD],
      tests: [TEST],
    });
    expect(cases.size).toBe(3);
    expect(cases.find(TEST, 'A', undefined)).toEqual({
      attempts: 3,
      cost_usd: 1.75,
      unpriced: 0,
      passed: 2,
      measured: 3,
      duration_ms: 60,
      baseline_passed: 1,
      baseline_measured: 3,
    });
    expect(cases.find(TEST, 'B', {})).toEqual({
      attempts: 2,
      cost_usd: 0,
      unpriced: 1,
      passed: 1,
      measured: 1,
      duration_ms: 40,
      baseline_passed: 1,
      baseline_measured: 1,
    });
    expect(cases.find(TEST, 'A', { Depth: 2, Language: 'de' })).toMatchObject({
      measured: 1,
      duration_ms: 3,
      baseline_measured: 0,
    });
    expect([cases.find('other', 'C', undefined), cases.find(TEST, 'D', undefined)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(runs).toEqual([
      { run_id: SECOND, cases: 3, attempts: 3, duration_ms: 23, cost_usd: 1 },
      { run_id: FIRST, cases: 3, attempts: 4, duration_ms: 87, cost_usd: 0.75 },
    ]);
  });

  test('runs that a decided run skipped are no attempts; fresh ones and late ones are', async () => {
    const run_id = '01939f0a-0000-7000-8000-00000000000d';
    const decided = { status: 'skipped', reason: 'decided', duration_ms: 0 } as const;
    await store.importRun([
      startEvent({ run_id, runs_per_case: 4 }),
      resultEvent('A', { duration_ms: 10, usage, cost_usd: 0.5 }),
      resultEvent('A', { run: 2, key: 'A-2', usage, cost_usd: 0.5, uncounted: 'decided' }),
      resultEvent('A', { run: 3, key: 'A-3', ...decided }),
      resultEvent('A', { run: 4, key: 'A-4', ...decided, uncounted: 'decided' }),
      resultEvent('A', { run: 5, key: 'A-5', usage, cost_usd: 0.5, uncounted: 'confirm' }),
      resultEvent('B', { duration_ms: 10, usage, cost_usd: 0.25 }),
      resultEvent('B', { run: 2, key: 'B-2', ...decided }),
      summaryEvent(),
    ]);
    const { cases, runs } = await store.caseFigures({ runs: [run_id, SECOND], baseline: [], tests: [TEST] });
    expect(cases.find(TEST, 'A', undefined)).toMatchObject({ attempts: 4, cost_usd: 2.5, measured: 2 });
    expect(cases.find(TEST, 'B', undefined)).toMatchObject({ attempts: 2, cost_usd: 0.25, measured: 1 });
    expect(runs.map(({ attempts }) => attempts)).toEqual([4, 3]);
  });

  test('runs that are not there, and no runs at all, add nothing', async () => {
    const none = await store.caseFigures({ runs: [], baseline: [], tests: [TEST] });
    const gone = await store.caseFigures({ runs: ['gone'], baseline: ['gone'], tests: [] });
    expect([none.cases.size, none.runs, gone.cases.size, gone.runs]).toEqual([0, [], 0, []]);
  });

  test('very many tests are read as all tests', async () => {
    const tests = Array.from({ length: 5000 }, (_, index) => `test ${String(index)}`);
    const { cases } = await store.caseFigures({ runs: [FIRST], baseline: [], tests: [...tests, TEST] });
    expect(cases.find(TEST, 'A', undefined)).toMatchObject({ passed: 1, measured: 2 });
  });
});
