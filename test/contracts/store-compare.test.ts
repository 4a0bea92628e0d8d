import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ResultEvent, RunEvent, StartEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import { previousRun, withPrevious } from '../../src/history/store/run-subject.ts';
import type { ComparedCase, Store } from '../../src/history/store/store.ts';
import { DATABASES } from './databases.ts';

const FIRST = '01939f0a-0000-7000-8000-00000000000a';
const SECOND = '01939f0a-0000-7000-8000-00000000000b';
const TEST = 'tests/inputs.jsonl';

describe.each(DATABASES)('the history in $name', (database) => {
  let store: Store;
  beforeEach(async () => {
    store = await openStore(await database.create());
  });
  afterEach(() => store.close());

  test('compares only cases with equal test, id and variables', async () => {
    const results = (list: ResultEvent[], run_id: string, timestamp: string): RunEvent[] => [
      startEvent({ run_id, timestamp }),
      ...list,
    ];
    const failed = { status: 'failed' as const, duration_ms: 40 };
    const de = { variables: { locale: 'de', model: { a: 1, b: 2 } } };
    const sameDe = { variables: { locale: 'de', model: { b: 2, a: 1 } } };
    await store.importRun(
      results(
        [
          resultEvent('worse'),
          resultEvent('better', failed),
          resultEvent('same'),
          resultEvent('variant', { ...de, key: 'v1' }),
          resultEvent('gone'),
          resultEvent('moved', { test_id: 'a' }),
          resultEvent('unknown'),
          resultEvent('left out', { status: 'skipped' }),
          resultEvent('never run', { status: 'skipped' }),
        ],
        FIRST,
        '2024-12-17T10:00:00Z',
      ),
    );
    await store.importRun(
      results(
        [
          resultEvent('worse', failed),
          resultEvent('better'),
          resultEvent('same'),
          resultEvent('variant', { ...failed, ...sameDe, key: 'v1' }),
          resultEvent('variant', { variables: { locale: 'fr' }, key: 'v2' }),
          resultEvent('moved', { test_id: 'b' }),
          resultEvent('unknown', { status: 'error', code: 'connection', error: 'x' }),
          resultEvent('left out'),
          resultEvent('never run', { status: 'skipped' }),
        ],
        SECOND,
        '2024-12-17T11:00:00Z',
      ),
    );
    const { before, after, counts, cases } = await store.compare(FIRST, 'latest', { all: true });
    const side = { status: 'passed', runs: 1, passed: 1, pass_rate: 100, avg_duration_ms: 12 };
    const bad = { status: 'failed', runs: 1, passed: 0, pass_rate: 0, avg_duration_ms: 40 };
    const unmeasured = { status: 'error', runs: 1, passed: 0, pass_rate: null, avg_duration_ms: null };
    const skipped = { ...unmeasured, status: 'skipped', runs: 0 };
    const one = (case_id: string, change: string, then: object | null, now: object | null, more = {}) => ({
      test_id: TEST,
      case_id,
      variables: null,
      change,
      before: then,
      after: now,
      ...more,
    });
    expect([before.run_id, after.run_id]).toEqual([FIRST, SECOND]);
    expect(counts).toEqual({ improved: 1, new: 2, regressed: 2, removed: 2, unchanged: 2, unmeasured: 2 });
    expect(cases.toSorted(byKey)).toEqual([
      one('better', 'improved', bad, side),
      one('gone', 'removed', side, null),
      one('left out', 'unmeasured', skipped, side),
      one('moved', 'removed', side, null, { test_id: 'a' }),
      one('moved', 'new', null, side, { test_id: 'b' }),
      one('never run', 'unchanged', skipped, skipped),
      one('same', 'unchanged', side, side),
      one('unknown', 'unmeasured', side, unmeasured),
      one('variant', 'regressed', side, bad, sameDe),
      one('variant', 'new', null, side, { variables: { locale: 'fr' } }),
      one('worse', 'regressed', side, bad),
    ]);
    const changed = await store.compare(FIRST, 'latest');
    expect(changed.counts).toEqual(counts);
    expect(changed.cases.toSorted(byKey)).toEqual(
      cases.filter(({ change }) => change !== 'unchanged').toSorted(byKey),
    );
  });

  test('counts all that changed, and lists the first of them', async () => {
    const many = (status: 'failed' | 'passed'): ResultEvent[] =>
      Array.from({ length: 1200 }, (_, n) => resultEvent(`C${n}`, { status }));
    await store.importRun([
      startEvent({ run_id: FIRST }),
      ...many('passed'),
      resultEvent('gone'),
      resultEvent('lost'),
    ]);
    const later = startEvent({ run_id: SECOND, timestamp: '2024-12-17T11:00:00Z' });
    await store.importRun([
      later,
      ...many('failed'),
      resultEvent('new'),
      resultEvent('lost', { status: 'skipped' }),
    ]);
    const { counts, cases } = await store.compare(FIRST, SECOND);
    expect(counts).toEqual({ improved: 0, new: 1, regressed: 1200, removed: 1, unchanged: 0, unmeasured: 1 });
    const listed = (change: string): number => cases.filter((one) => one.change === change).length;
    expect(['regressed', 'new', 'removed', 'unmeasured'].map(listed)).toEqual([1000, 1, 1, 1]);
    expect((await store.compare(FIRST, SECOND, { all: true })).cases).toHaveLength(1203);
  });

  test('the run before is one of the same inputs, with the same values, that came to its end', async () => {
    const input = (path: string, more = {}): StartEvent['inputs'][number] => ({
      type: 'file',
      path,
      sha256: 'aa',
      agent_id: 'keyword',
      agent_sha256: 'bb',
      ...more,
    });
    const id = (number: number): string => `01939f0a-0000-7000-8000-00000000000${String(number)}`;
    const record = async (number: number, fields: Partial<StartEvent>, exit_code?: number): Promise<void> => {
      const timestamp = `2024-12-17T10:0${String(number)}:00Z`;
      const end = exit_code === undefined ? [] : [summaryEvent({ exit_code })];
      await store.importRun([startEvent({ run_id: id(number), timestamp, ...fields }), ...end]);
    };
    const test = { id: 't', name: 'T', type: 'agent-eval' };
    const ofTest = (language: string): Partial<StartEvent> => ({
      inputs: [
        input('t.jsonl', {
          test: 't',
          test_id: 't',
          resolved_variables: { values: { Language: language }, sources: {} },
        }),
      ],
      definitions: { types: [], tests: [test] },
    });
    await record(1, { inputs: [input('a.jsonl')] }, 130);
    await record(2, { inputs: [input('a.jsonl')] }, 1);
    await record(3, { inputs: [input('b.jsonl')] }, 0);
    await record(4, { inputs: [input('a.jsonl')] }, 130);
    await record(5, { inputs: [input('a.jsonl')] });
    await record(6, { inputs: [input('a.jsonl')] }, 0);
    await record(7, ofTest('de'), 0);
    await record(8, ofTest('fr'), 0);
    await record(9, ofTest('de'), 0);
    const previous = async (number: number): Promise<string | undefined> =>
      (await previousRun(store, await store.run(id(number))))?.run_id;
    expect(await Promise.all([6, 4, 2, 3, 9, 8].map(previous))).toEqual([
      id(2),
      id(2),
      // Better than none.
      id(1),
      undefined,
      id(7),
      undefined,
    ]);
    expect([...withPrevious(await store.runs())].sort()).toEqual([2, 4, 5, 6, 9].map(id));
  });
});

function byKey(a: ComparedCase, b: ComparedCase): number {
  return key(a).localeCompare(key(b));
}

function key(one: ComparedCase): string {
  return `${one.case_id} ${one.test_id} ${JSON.stringify(one.variables)?.slice(0, 20)}`;
}
