import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunEvent, StartEvent } from '../../src/model/event.ts';
import type { SuiteDefinition, TestDefinition, TestTypeDefinition } from '../../src/model/definition.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import type { Store } from '../../src/history/store/store.ts';
import { DATABASES } from './databases.ts';

const FIRST = '01939f0a-0000-7000-8000-00000000000a';
const SECOND = '01939f0a-0000-7000-8000-00000000000b';
const TEST = 'tests/inputs.jsonl';

const TYPE: TestTypeDefinition = {
  id: 'extraction',
  name: 'Extraction',
  kind: 'agent-eval',
  variablesSchema: { schemaVersion: '1.0', variables: [] },
};
const KEYWORDS: TestDefinition = {
  id: 'keywords',
  name: 'Keywords of a text',
  type: 'extraction',
  input: TEST,
  variables: { variables: { Locale: { exposed: true, defaultValue: 'en' } } },
};
const OTHER: TestDefinition = { id: 'other', name: 'Others', type: 'agent-eval', input: 'other.jsonl' };
const SUITE: SuiteDefinition = {
  id: 'nightly',
  name: 'Every night',
  tests: ['keywords', 'other'],
  variables: { variables: { Locale: 'de' } },
};

/** All that can be known of what a run was made of. */
const MADE_OF = {
  origin: {
    git: { commit: 'c0ffee', dirty: true },
    node: 'v20.19.0',
    os: 'linux',
    machine: 'builder',
    ci: 'github',
  },
  suite: 'nightly',
  matrix: { Locale: ['de', 'en'] },
  resolved_variables: { values: { Locale: 'de' }, sources: { Locale: 'suite' } },
  definitions: { types: [TYPE], tests: [KEYWORDS, OTHER], suite: SUITE },
} satisfies Partial<StartEvent>;

const HASH = expect.stringMatching(/^[0-9a-f]{64}$/);

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
    const [start, ...events] = sampleRun({ ...MADE_OF, connector: 'deepseek.v3', flags: { runs: 2 } });
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
      tests: [
        { id: 'keywords', name: 'Keywords of a text', sha256: HASH },
        { id: 'other', name: 'Others', sha256: HASH },
      ],
      suite: { id: 'nightly', name: 'Every night', sha256: HASH },
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
      judge_sha256: null,
      isolation: null,
      environment: start.environment,
      inputs: start.inputs,
      flags: { runs: 2 },
      cwd: '/app',
      matrix: MADE_OF.matrix,
      resolved_variables: MADE_OF.resolved_variables,
      git: { commit: 'c0ffee', dirty: true },
      version: '0.1.0',
      node: 'v20.19.0',
      os: 'linux',
      machine: 'builder',
      ci: 'github',
      note: null,
    });
    expect(await store.results(FIRST)).toEqual({ total: 4, results: events.slice(0, 4) });
    expect(await store.cases(FIRST)).toEqual([CASE_A, CASE_B]);
  });

  test('keeps each definition once, as it was', async () => {
    await store.importRun(sampleRun(MADE_OF));
    await store.importRun(sampleRun({ run_id: SECOND, ...MADE_OF }));
    const changed: TestTypeDefinition = { ...TYPE, description: 'another' };
    const definitions = { types: [changed], tests: [KEYWORDS] };
    await store.importRun(sampleRun({ run_id: SECOND.replace(/b$/, 'c'), definitions }));
    const tests = await database.query(
      place,
      `select tests.defined_id, tests.name, tests.definition, tests.variables, test_types.defined_id as type,
         test_types.definition as type_definition, variables_schema,
         (select count(*) from run_tests where test_id = tests.id) as runs
       from tests left join test_types on test_types.id = test_type_id order by tests.id`,
    );
    const suites = await database.query(
      place,
      `select defined_id, name, definition, variables, resolved_variables
       from suite_runs join suites on suites.id = suite_id`,
    );
    const keywords = {
      defined_id: 'keywords',
      name: 'Keywords of a text',
      definition: KEYWORDS,
      variables: KEYWORDS.variables,
      type: 'extraction',
    };
    const suite = {
      defined_id: 'nightly',
      name: 'Every night',
      definition: SUITE,
      variables: SUITE.variables,
      resolved_variables: MADE_OF.resolved_variables,
    };
    const none = { variables: null, type: null, type_definition: null, variables_schema: null };
    expect({ tests: tests.map(parseJson), suites: suites.map(parseJson) }).toEqual({
      tests: [
        { ...keywords, type_definition: TYPE, variables_schema: TYPE.variablesSchema, runs: 2 },
        { defined_id: 'other', name: 'Others', definition: OTHER, ...none, runs: 2 },
        { ...keywords, type_definition: changed, variables_schema: TYPE.variablesSchema, runs: 1 },
      ],
      suites: [suite, suite],
    });
  });

  test('expects of each test as many runs as its input says', async () => {
    const input = {
      type: 'file',
      path: TEST,
      sha256: 'aa',
      agent_id: 'keyword',
      agent_sha256: 'bb',
    } as const;
    const inputs = [
      { ...input, test: 'often', test_id: 'often', runs: 3 },
      { ...input, test: 'once', test_id: 'once' },
    ];
    await store.importRun([
      startEvent({ run_id: FIRST, inputs, runs_per_case: 1 }),
      resultEvent('A', { test_id: 'often', key: 'a' }),
      resultEvent('A', { test_id: 'once', key: 'b' }),
    ]);
    const ends = (await store.cases(FIRST)).map((one) => [one.test_id, one.status]);
    expect(ends).toEqual([
      ['often', 'skipped'],
      ['once', 'passed'],
    ]);
    expect((await store.caseHistory('often', 'A')).map((one) => one.status)).toEqual(['skipped']);
  });

  test('learns later whether files had changed', async () => {
    const [start, ...events] = sampleRun({ origin: { git: { commit: 'c0ffee' } } });
    await store.importRun([start, ...events]);
    expect((await store.run(FIRST)).git).toEqual({ commit: 'c0ffee' });
    const git = { commit: 'c0ffee', dirty: false };
    await store.importRun([start, { type: 'provenance', git }, ...events]);
    expect((await store.run(FIRST)).git).toEqual(git);
  });

  test('is not changed by importing the same log again', async () => {
    await store.importRun(sampleRun(MADE_OF));
    const before = await snapshot(database.query, place);
    await store.importRun(sampleRun(MADE_OF));
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
    await store.importRun(sampleRun({ run_id: id(1), timestamp: at(1), ...MADE_OF }));
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
    expect(await ids({ test: 'Keywords of a text' })).toEqual([id(1)]);
    expect(await ids({ suite: 'Every night' })).toEqual([id(1)]);
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

  test('finds a run by its whole id, however many newer ones begin with it', async () => {
    await store.importRun(sampleRun({ run_id: 'night-1' }));
    for (let n = 10; n < 21; n++) {
      await store.importRun(sampleRun({ run_id: `night-1${n}`, timestamp: `2026-01-${n}T00:00:00Z` }));
    }
    expect((await store.run('night-1')).run_id).toBe('night-1');
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
});

/** Everything the database holds. */
async function snapshot(
  query: (place: string, sql: string) => Promise<unknown[]>,
  place: string,
): Promise<unknown[][]> {
  const tables = 'test_types tests suites test_runs run_tests suite_runs results run_cases'.split(' ');
  return Promise.all(
    tables.map((table) =>
      query(place, `select * from ${table} order by 1, 2${table === 'suite_runs' ? '' : ', 3'}`),
    ),
  );
}

/** Counts come as text from PostgreSQL. */
function parsedValue(value: unknown): unknown {
  return typeof value === 'string' && /^[{\d]/.test(value) ? JSON.parse(value) : value;
}

function parseJson(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, parsedValue(value)]));
}
