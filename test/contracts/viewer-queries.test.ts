// What the viewer asks of the history: results page by page, counts, recent tests, and one test over many runs.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ResultEvent, RunEvent, StartEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import type { ResultsFrom, Store } from '../../src/history/store/store.ts';
import { DATABASES } from './databases.ts';

const TEST = 'tests/inputs.jsonl';
const runId = (number: number): string => `01939f0a-0000-7000-8000-${String(number).padStart(12, '0')}`;
const minute = (number: number): string => `2026-01-01T10:${String(number).padStart(2, '0')}:00.000Z`;

function start(number: number, fields: Partial<StartEvent> = {}): StartEvent {
  return startEvent({ run_id: runId(number), timestamp: minute(number), ...fields });
}

/** A finished run with these results. */
function run(number: number, results: ResultEvent[], fields: Partial<StartEvent> = {}): RunEvent[] {
  return [start(number, fields), ...results, summaryEvent({ timestamp: minute(number) })];
}

const many = (count: number, prefix = 'c'): ResultEvent[] =>
  Array.from({ length: count }, (_, index) => resultEvent(`${prefix}${String(index).padStart(5, '0')}`));

describe.each(DATABASES)('what the viewer asks of $name', ({ create }) => {
  let store: Store;

  beforeEach(async () => {
    store = await openStore(await create());
  });
  afterEach(() => store.close());

  async function idsFrom(
    reference: string,
    from?: ResultsFrom,
  ): Promise<{ ids: string[]; pages: number; position: number }> {
    const ids: string[] = [];
    let pages = 0;
    let position = -1;
    for await (const page of store.resultPages(reference, from)) {
      ids.push(...page.results.map(({ id }) => id));
      pages += 1;
      position = page.position;
    }
    return { ids, pages, position };
  }

  test('results come page by page, also if another run lies between them', async () => {
    const results = many(1100);
    const ids = results.map(({ id }) => id);
    await store.importRun([start(1), ...results.slice(0, 600)]);
    await store.importRun(run(2, many(700, 'other')));
    await store.importRun(run(1, results));
    expect(await idsFrom(runId(1))).toMatchObject({ ids, pages: 3 });
    expect((await idsFrom(runId(1), { skip: 650 })).ids).toEqual(ids.slice(650));
    expect((await idsFrom(runId(1), { skip: 1100 })).ids).toEqual([]);
    expect((await idsFrom(runId(1), { skip: 5000 })).ids).toEqual([]);
  });

  test('a follower of a run gets the events after its last page, once', async () => {
    await store.importRun([start(1)]);
    const first = await idsFrom(runId(1));
    expect(first.ids).toEqual([]);
    await store.importRun(run(2, many(3, 'other')));
    await store.importRun([start(1), ...many(2)]);
    const second = await idsFrom(runId(1), { after: first.position });
    expect(second.ids).toEqual(['c00000', 'c00001']);
    const none = await idsFrom(runId(1), { after: second.position });
    expect(none.ids).toEqual([]);
    await store.importRun(run(3, many(3, 'other')));
    await store.importRun([start(1), ...many(4)]);
    expect((await idsFrom(runId(1), { after: none.position })).ids).toEqual(['c00002', 'c00003']);
  });

  test('counts results of the runs it is asked for', async () => {
    await store.importRun([start(1), ...many(3)]);
    await store.importRun([start(2)]);
    await store.importRun(run(3, many(5)));
    expect(await store.resultCounts([runId(1), runId(2), runId(9)])).toEqual(
      new Map([
        [runId(1), 3],
        [runId(2), 0],
      ]),
    );
    expect(await store.resultCounts([])).toEqual(new Map());
  });

  test('recent tests, each once, the last one first', async () => {
    expect(await store.recentTests()).toEqual([]);
    const of = (test_id: string): ResultEvent => resultEvent('a', { test_id, key: `${test_id}-a` });
    await store.importRun(run(1, [of('x'), of('y')]));
    await store.importRun(run(2, [of('z'), of('x'), ...many(3)]));
    await store.importRun([start(3)]);
    const last = { last_run: runId(2), last_started_at: minute(2) };
    expect(await store.recentTests()).toEqual([
      { test_id: TEST, runs: 1, ...last },
      { test_id: 'x', runs: 2, ...last },
      { test_id: 'z', runs: 1, ...last },
      { test_id: 'y', runs: 1, last_run: runId(1), last_started_at: minute(1) },
    ]);
  });

  test('one test over its runs: what flips most comes first', async () => {
    const ended = (id: string, status: ResultEvent['status'], more = {}): ResultEvent =>
      resultEvent(id, { status, ...more });
    const unreachable = { code: 'connection', error: 'gone' } as const;
    await store.importRun(
      run(1, [ended('steady', 'passed'), ended('moody', 'failed'), ended('bad', 'timeout')], {
        origin: { git: { commit: 'c0ffee', dirty: false } },
      }),
    );
    await store.importRun(run(2, [resultEvent('a', { test_id: 'another' })]));
    await store.importRun(
      run(3, [ended('steady', 'error', unreachable), ended('moody', 'passed'), ended('bad', 'failed')]),
    );
    await store.importRun(run(4, [ended('steady', 'passed'), ended('moody', 'skipped')]));
    await store.importRun(
      run(5, [
        ended('steady', 'passed'),
        ended('moody', 'failed'),
        ended('bad', 'failed'),
        ended('new', 'passed', { variables: { Language: 'de' } }),
      ]),
    );
    const at = (number: number) => ({ run_id: runId(number), started_at: minute(number), git: null });
    const history = {
      test_id: TEST,
      runs: [
        { ...at(5), passed: 2, failed: 2, skipped: 0 },
        { ...at(4), passed: 1, failed: 0, skipped: 1 },
        { ...at(3), passed: 1, failed: 2, skipped: 0 },
        { ...at(1), git: { commit: 'c0ffee', dirty: false }, passed: 1, failed: 2, skipped: 0 },
      ],
      cases: [
        {
          case_id: 'moody',
          variables: null,
          flips: 2,
          statuses: ['failed', 'skipped', 'passed', 'failed'],
        },
        { case_id: 'bad', variables: null, flips: 0, statuses: ['failed', null, 'failed', 'timeout'] },
        { case_id: 'new', variables: { Language: 'de' }, flips: 0, statuses: ['passed', null, null, null] },
        {
          case_id: 'steady',
          variables: null,
          flips: 0,
          statuses: ['passed', 'passed', 'error', 'passed'],
        },
      ],
      total_cases: 4,
    };
    expect(await store.testHistory(TEST)).toEqual(history);
    expect(await store.testHistory(TEST, { runs: 1 })).toMatchObject({
      runs: [history.runs[0]],
      total_cases: 4,
    });
    expect(await store.testHistory("x' or 1=1 --")).toEqual({
      test_id: "x' or 1=1 --",
      runs: [],
      cases: [],
      total_cases: 0,
    });
  });

  test('a case of several runs ends by the rules of its run', async () => {
    const rules = { runs_per_case: 2, flags: { min_pass_rate: 50 } };
    const twice = (second: ResultEvent['status']): ResultEvent[] => [
      resultEvent('a', { run: 1 }),
      resultEvent('a', { run: 2, status: second }),
    ];
    await store.importRun(run(1, twice('failed'), { runs_per_case: 2 }));
    await store.importRun(run(2, twice('failed'), rules));
    await store.importRun([start(3, { runs_per_case: 2 }), resultEvent('a', { run: 1 })]);
    const { runs, cases } = await store.testHistory(TEST);
    expect(runs.map(({ passed, failed, skipped }) => [passed, failed, skipped])).toEqual([
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(cases).toEqual([
      { case_id: 'a', variables: null, flips: 1, statuses: ['skipped', 'passed', 'failed'] },
    ]);
  });

  test('of many cases those that changed are listed, then the first by id', async () => {
    const results = many(700);
    const failing = (id: string): ResultEvent[] =>
      results.map((result) => (result.id === id ? resultEvent(id, { status: 'failed' }) : result));
    await store.importRun(run(1, failing('c00650')));
    await store.importRun(run(2, failing('c00640')));
    await store.importRun(run(3, failing('c00640')));
    const { cases, total_cases } = await store.testHistory(TEST);
    expect(total_cases).toBe(700);
    expect(cases.length).toBe(500);
    expect(cases.slice(0, 3).map(({ case_id, flips }) => [case_id, flips])).toEqual([
      ['c00640', 1],
      ['c00650', 1],
      ['c00000', 0],
    ]);
    expect(cases.at(-1)?.case_id).toBe('c00497');
  });
});
