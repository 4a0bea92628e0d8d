import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ResultEvent, RunEvent, StartEvent } from '../../src/model/event.ts';
import type { RunOrigin } from '../../src/model/origin.ts';
import { resultEvent, startEvent, summaryEvent } from '../../src/report/sample-log.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { DATABASES } from './databases.ts';

const FIRST = '01939f0a-0000-7000-8000-00000000000a';
const SECOND = '01939f0a-0000-7000-8000-00000000000b';
const TEST = 'tests/inputs.jsonl';

const ORIGIN: RunOrigin = {
  git: { commit: 'c0ffee', dirty: true },
  node: 'v20.19.0',
  os: 'linux',
  machine: 'builder',
  ci: 'github',
  test: {
    name: 'keywords',
    definition: { input: TEST },
    variables: { locale: 'en' },
    type: { name: 'extraction', definition: { kind: 'agent-eval' }, variables_schema: { type: 'object' } },
  },
  suite: {
    run_id: '01939f0a-0000-7000-9000-000000000001',
    started_at: '2024-12-17T09:59:00Z',
    name: 'nightly',
    definition: { tests: ['keywords'] },
    variables: { locale: 'en' },
    resolved_variables: { values: { locale: 'en' }, sources: { locale: 'suite' } },
  },
  resolved_variables: { values: { locale: 'de' }, sources: { locale: 'flag' } },
};

/** A run of two cases, each run twice; the second fails once. */
function sampleRun(start: Partial<StartEvent> = {}): [StartEvent, ...RunEvent[]] {
  return [
    startEvent({ run_id: FIRST, total_cases: 2, runs_per_case: 2, ...start }),
    resultEvent('A', { run: 1, duration_ms: 10, line: 1 }),
    resultEvent('A', { run: 2, duration_ms: 20, line: 1 }),
    resultEvent('B', { run: 1, duration_ms: 30, line: 2 }),
    resultEvent('B', { run: 2, duration_ms: 50, line: 2, status: 'failed', error: 'no' }),
    summaryEvent({ total: 2, passed: 1, failed: 1, exit_code: 1, total_runs: 4, runs_per_case: 2 }),
  ];
}

const CASE_A = {
  test_id: TEST,
  case_id: 'A',
  variables: null,
  variables_sha256: '',
  line: 1,
  status: 'passed',
  runs: 2,
  passed: 2,
  measured: 2,
  pass_rate: 100,
  avg_duration_ms: 15,
};
const CASE_B = {
  ...CASE_A,
  case_id: 'B',
  line: 2,
  status: 'failed',
  passed: 1,
  pass_rate: 50,
  avg_duration_ms: 40,
};

describe.each(DATABASES)('the history in $name', (database) => {
  let place: string;
  let store: Store;
  beforeEach(async () => {
    place = await database.create();
    store = await openStore(place);
  });
  afterEach(() => store.close());

  const ids = async (filter = {}): Promise<string[]> => (await store.runs(filter)).map((run) => run.run_id);

  test('gives back a run with all that made it', async () => {
    const [start, ...events] = sampleRun({ origin: ORIGIN, connector: 'deepseek.v3', flags: { runs: 2 } });
    await store.importRun([start, ...events]);
    const run = await store.run(FIRST);
    expect(run).toEqual({
      run_id: FIRST,
      started_at: '2024-12-17T10:00:00.000Z',
      finished_at: '2024-12-17T10:00:12.000Z',
      exit_code: 1,
      agent_id: 'keyword',
      agent_sha256: 'bb',
      kinds: ['agent-eval'],
      test: { name: 'keywords', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      suite: { run_id: ORIGIN.suite?.run_id, name: 'nightly' },
      total_cases: 2,
      runs_per_case: 2,
      min_pass_rate: null,
      summary: {
        total: 2,
        passed: 1,
        failed: 1,
        skipped: 0,
        errors: 0,
        timeouts: 0,
        duration_ms: 12_345,
        total_runs: 4,
        runs_per_case: 2,
        overall_pass_rate: 100,
        stable_cases: 1,
        unstable_cases: 0,
      },
      connector: 'deepseek.v3',
      environment: start.environment,
      inputs: start.inputs,
      flags: { runs: 2 },
      cwd: '/app',
      resolved_variables: ORIGIN.resolved_variables,
      git: { commit: 'c0ffee', dirty: true },
      version: '0.1.0',
      node: 'v20.19.0',
      os: 'linux',
      machine: 'builder',
      ci: 'github',
    });
    expect(await store.results(FIRST)).toEqual({ total: 4, results: events.slice(0, 4) });
    expect(await store.cases(FIRST)).toEqual([CASE_A, CASE_B]);
  });

  test('keeps each definition once, as it was', async () => {
    await store.importRun(sampleRun({ origin: ORIGIN }));
    await store.importRun(sampleRun({ run_id: SECOND, origin: ORIGIN }));
    const changed = { ...ORIGIN, test: { name: 'keywords', definition: { input: 'other.jsonl' } } };
    await store.importRun(sampleRun({ run_id: SECOND.replace(/b$/, 'c'), origin: changed }));
    const tests = await database.query(
      place,
      `select tests.name, tests.definition, tests.variables, test_types.name as type, variables_schema
       from tests left join test_types on test_types.id = test_type_id order by tests.id`,
    );
    const suites = await database.query(
      place,
      `select name, definition, variables, resolved_variables
       from suite_runs join suites on suites.id = suite_id`,
    );
    expect({ tests: tests.map(parseJson), suites: suites.map(parseJson) }).toEqual({
      tests: [
        {
          name: 'keywords',
          definition: { input: TEST },
          variables: { locale: 'en' },
          type: 'extraction',
          variables_schema: { type: 'object' },
        },
        {
          name: 'keywords',
          definition: { input: 'other.jsonl' },
          variables: null,
          type: null,
          variables_schema: null,
        },
      ],
      suites: [
        {
          name: 'nightly',
          definition: { tests: ['keywords'] },
          variables: { locale: 'en' },
          resolved_variables: ORIGIN.suite?.resolved_variables,
        },
      ],
    });
  });

  test('is not changed by importing the same log again', async () => {
    await store.importRun(sampleRun({ origin: ORIGIN }));
    const before = await snapshot(database.query, place);
    await store.importRun(sampleRun({ origin: ORIGIN }));
    expect(await snapshot(database.query, place)).toEqual(before);
  });

  test('shows an unfinished run as it stands, and completes it later', async () => {
    const events = sampleRun();
    expect(await store.importRun(events.slice(0, 4))).toEqual({ run_id: FIRST, results: 3, finished: false });
    const half = await store.run(FIRST);
    expect([half.finished_at, half.summary, half.exit_code]).toEqual([null, null, null]);
    expect((await store.cases(FIRST)).map((one) => [one.case_id, one.status, one.runs])).toEqual([
      ['A', 'passed', 2],
      ['B', 'skipped', 1],
    ]);
    expect(await store.importRun(events)).toEqual({ run_id: FIRST, results: 4, finished: true });
    expect(await store.cases(FIRST)).toEqual([CASE_A, CASE_B]);
  });

  test('replaces a result that comes again with the same key, and counts it once', async () => {
    const recorder = store.record(startEvent({ run_id: FIRST, runs_per_case: 2 }));
    void recorder.add([
      resultEvent('A', { run: 1, duration_ms: 99, line: 1, status: 'error', code: 'connection', error: 'x' }),
      resultEvent('A', { run: 2, duration_ms: 20, line: 1 }),
    ]);
    await recorder.flush();
    expect(await store.cases(FIRST)).toEqual([
      {
        ...CASE_A,
        status: 'error',
        passed: 1,
        measured: 1,
        avg_duration_ms: 20,
      },
    ]);
    void recorder.add([resultEvent('A', { run: 1, duration_ms: 10, line: 1 })]);
    await recorder.flush();
    expect(await store.cases(FIRST)).toEqual([CASE_A]);
    expect((await store.results(FIRST)).results.map((result) => result.status)).toEqual(['passed', 'passed']);
  });

  test('forgets how a run ended when it is taken up again, unless it has ended since', async () => {
    const events = sampleRun();
    await store.importRun(events);
    const resume = (timestamp: string): RunEvent => ({ type: 'resume', run_id: FIRST, timestamp });
    await store.importRun([...events, resume('2024-12-17T09:00:00Z')]);
    expect((await store.run(FIRST)).exit_code).toBe(1);
    await store.importRun([...events, resume('2024-12-17T11:00:00Z')]);
    expect((await store.run(FIRST)).summary).toBeNull();
    await store.importRun([...events, summaryEvent({ timestamp: '2024-12-17T11:01:00Z', exit_code: 0 })]);
    await store.importRun(events);
    expect((await store.run(FIRST)).exit_code).toBe(0);
  });

  test('lists runs newest first, by test, suite and agent, page by page', async () => {
    const at = (hour: number): string => `2024-12-17T${10 + hour}:00:00Z`;
    const id = (n: number): string => `01939f0a-0000-7000-8000-00000000000${n}`;
    await store.importRun(sampleRun({ run_id: id(2), timestamp: at(2), agent_id: 'other' }));
    await store.importRun(sampleRun({ run_id: id(1), timestamp: at(1), origin: ORIGIN }));
    await store.importRun([
      startEvent({ run_id: id(3), timestamp: at(3) }),
      resultEvent('A', { test_id: 'tests/more.jsonl' }),
    ]);
    expect(await ids()).toEqual([id(3), id(2), id(1)]);
    expect(await ids({ limit: 2 })).toEqual([id(3), id(2)]);
    expect(await ids({ before: id(2) })).toEqual([id(1)]);
    expect(await ids({ before: at(3) })).toEqual([id(2), id(1)]);
    expect(await ids({ agent: 'other' })).toEqual([id(2)]);
    expect(await ids({ test: TEST })).toEqual([id(2), id(1)]);
    expect(await ids({ test: 'keywords' })).toEqual([id(1)]);
    expect(await ids({ suite: 'nightly' })).toEqual([id(1)]);
    expect(await ids({ suite: ORIGIN.suite?.run_id })).toEqual([id(1)]);
    expect(await ids({ suite: 'weekly' })).toEqual([]);
  });

  test('finds a run by the beginning of its id and by "latest"', async () => {
    await expect(store.run('latest')).rejects.toThrow('there are no runs');
    await store.importRun(sampleRun());
    await store.importRun(sampleRun({ run_id: SECOND, timestamp: '2024-12-17T09:00:00Z' }));
    expect((await store.run('latest')).run_id).toBe(FIRST);
    expect((await store.run(SECOND)).run_id).toBe(SECOND);
    await store.importRun(sampleRun({ run_id: 'ab%d', timestamp: '2024-12-17T08:00:00Z' }));
    expect((await store.run('AB')).run_id).toBe('ab%d');
    await expect(store.run('01939f0a')).rejects.toMatchObject({
      message: '"01939f0a" is the beginning of several runs',
      problems: [{ hint: `write more of it: ${FIRST}, ${SECOND}` }],
    });
    await expect(store.run('%')).rejects.toThrow('there is no run %');
  });

  test('pages through results, all of them or those of one status', async () => {
    const statuses = ['passed', 'failed', 'passed', 'failed', 'failed'] as const;
    const results = statuses.map((status, n) => resultEvent(`C${n}`, { status }));
    await store.importRun([startEvent({ run_id: FIRST }), ...results]);
    expect(await store.results(FIRST, { offset: 1, limit: 2 })).toEqual({
      total: 5,
      results: results.slice(1, 3),
    });
    expect(await store.results(FIRST, { status: 'failed', offset: 1 })).toEqual({
      total: 3,
      results: results.slice(3),
    });
    expect(await store.results(FIRST, { status: 'timeout' })).toEqual({ total: 0, results: [] });
  });

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
        ],
        SECOND,
        '2024-12-17T11:00:00Z',
      ),
    );
    const { before, after, counts, cases } = await store.compare(FIRST, 'latest');
    const side = { status: 'passed', runs: 1, passed: 1, pass_rate: 100, avg_duration_ms: 12 };
    const bad = { status: 'failed', runs: 1, passed: 0, pass_rate: 0, avg_duration_ms: 40 };
    const unmeasured = { status: 'error', runs: 1, passed: 0, pass_rate: null, avg_duration_ms: null };
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
    expect(counts).toEqual({ improved: 1, new: 2, regressed: 2, removed: 2, unchanged: 2 });
    expect(cases.toSorted((a, b) => key(a).localeCompare(key(b)))).toEqual([
      one('better', 'improved', bad, side),
      one('gone', 'removed', side, null),
      one('moved', 'removed', side, null, { test_id: 'a' }),
      one('moved', 'new', null, side, { test_id: 'b' }),
      one('same', 'unchanged', side, side),
      one('unknown', 'unchanged', side, unmeasured),
      one('variant', 'regressed', side, bad, sameDe),
      one('variant', 'new', null, side, { variables: { locale: 'fr' } }),
      one('worse', 'regressed', side, bad),
    ]);
  });
});

function key(one: { case_id: string; test_id: string; variables: unknown }): string {
  return `${one.case_id} ${one.test_id} ${JSON.stringify(one.variables)?.slice(0, 20)}`;
}

/** Everything the database holds. */
async function snapshot(
  query: (place: string, sql: string) => Promise<unknown[]>,
  place: string,
): Promise<unknown[][]> {
  const tables = ['test_types', 'tests', 'suites', 'suite_runs', 'test_runs', 'results', 'run_cases'];
  return Promise.all(tables.map((table) => query(place, `select * from ${table} order by 1, 2, 3`)));
}

function parseJson(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value,
    ]),
  );
}
