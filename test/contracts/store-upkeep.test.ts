import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { ConfigError } from '../../src/errors.ts';
import type { TestDefinition } from '../../src/model/definition.ts';
import type { ResultEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';
import { findBaseline } from '../../src/history/baseline.ts';
import { openStore } from '../../src/history/store/open-store.ts';
import type { Store } from '../../src/history/store/store.ts';
import { OLD_HISTORY } from '../fixtures/history-v1.ts';
import { SECOND_HISTORY } from '../fixtures/history-v2.ts';
import { DATABASES } from './databases.ts';

const TEST = 'tests/inputs.jsonl';
const id = (n: number): string => `01939f0a-0000-7000-8000-00000000000${n}`;
const at = (hour: number): string => `2024-12-17T1${hour}:00:00.000Z`;

describe.each(DATABASES)('the history in $name', (database) => {
  let place: string;
  let store: Store;
  beforeEach(async () => {
    place = await database.create();
    store = await openStore(place);
  });
  afterEach(() => store.close());

  const count = async (table: string): Promise<number> =>
    Number((await database.query(place, `select count(*) as n from ${table}`))[0]?.['n']);

  test('is made once by many that open it at once', async () => {
    const empty = await database.create();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(empty)));
    await Promise.all(stores.map((one, n) => one.importRun([startEvent({ run_id: id(n) })])));
    const runs = await stores[0]?.runs();
    await Promise.all(stores.map((one) => one.close()));
    expect(runs?.map((run) => run.run_id).sort()).toEqual([0, 1, 2, 3, 4, 5].map(id));
    expect(await database.query(empty, 'select version from assay_schema')).toEqual([{ version: 3 }]);
  });

  test('is refused if a newer version made it', async () => {
    await database.query(place, 'update assay_schema set version = 99');
    const error = await openStore(place).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      message: `the history ${store.place} was created by a newer version of Assay: its tables have version 99, this program knows 3`,
      problems: [{ hint: 'install that version of Assay, or use another history' }],
    });
  });

  test('of the first version is brought up to date, and keeps what it has', async () => {
    const old = await database.create();
    for (const statement of OLD_HISTORY[database.name === 'SQLite' ? 'sqlite' : 'postgres'])
      await database.query(old, statement);
    const migrated = await openStore(old);
    expect(await migrated.cases('old-run')).toMatchObject([{ case_id: 'A', status: 'passed', runs: 2 }]);
    expect(await migrated.run('old-run')).toMatchObject({ judge_sha256: null, git: { commit: 'c0ffee' } });
    await migrated.importRun([
      startEvent({
        run_id: id(1),
        judge_sha256: 'ab',
        origin: { git: { commit: 'c0ffee', branch: 'main' } },
      }),
      resultEvent('A', { case_sha: 'ff', usage: { input_tokens: 2, output_tokens: 3 }, cost_usd: 0.5 }),
      resultEvent('A', { run: 2, uncounted: 'decided', usage: { input_tokens: 1 }, cost_usd: null }),
    ]);
    expect(await migrated.run(id(1))).toMatchObject({ judge_sha256: 'ab', git: { branch: 'main' } });
    expect(await migrated.cases(id(1))).toMatchObject([{ runs: 1, passed: 1 }]);
    await migrated.close();
    const rows = await database.query(
      old,
      'select kind, case_sha, uncounted, cost_usd, tokens, unpriced from run_cases order by run_no',
    );
    // PostgreSQL gives large integers as texts.
    const plain = JSON.parse(JSON.stringify(rows).replaceAll(/"(\d+)"/g, '$1')) as unknown;
    const unknown = { cost_usd: null, tokens: null, unpriced: null };
    expect(plain).toEqual([
      { kind: null, case_sha: null, uncounted: 0, ...unknown },
      { kind: 'agent-eval', case_sha: 'ff', uncounted: 1, cost_usd: 0.5, tokens: 6, unpriced: 1 },
    ]);
  });

  test('of the second version is brought up to date, and keeps notes from then on', async () => {
    const old = await database.create();
    for (const statement of SECOND_HISTORY[database.name === 'SQLite' ? 'sqlite' : 'postgres'])
      await database.query(old, statement);
    const migrated = await openStore(old);
    expect(await migrated.run('old-run')).toMatchObject({
      git: { commit: 'c0ffee', branch: 'main' },
      note: null,
    });
    await migrated.importRun([startEvent({ run_id: id(1), note: 'a smaller prompt' })]);
    expect(await migrated.run(id(1))).toMatchObject({ note: 'a smaller prompt' });
    await migrated.close();
    expect(await database.query(old, 'select version from assay_schema')).toEqual([{ version: 3 }]);
  });

  test('has names for runs, and the runs of a branch', async () => {
    const origin = (branch: string) => ({ git: { commit: 'c0ffee', branch } });
    await store.importRun([
      startEvent({ run_id: id(1), timestamp: at(1), origin: origin('main') }),
      summaryEvent(),
    ]);
    await store.importRun([
      startEvent({ run_id: id(2), timestamp: at(2), origin: origin('main') }),
      summaryEvent(),
    ]);
    await store.importRun([
      startEvent({ run_id: id(3), timestamp: at(3), origin: origin('fix') }),
      summaryEvent(),
    ]);
    await store.setBaseline('main', id(1));
    await store.setBaseline('main', id(2));
    expect(await store.baselines()).toEqual([
      { name: 'main', run_id: id(2), created_at: expect.any(String) },
    ]);
    const runsOf = async (reference: string, runs?: number): Promise<unknown> => {
      const found = await findBaseline(store, reference, { cwd: '/', runs });
      return 'runs' in found && found.runs.map((run) => run.run_id);
    };
    expect(await runsOf('main')).toEqual([id(2), id(1)]);
    expect(await runsOf('main', 1)).toEqual([id(2)]);
    expect(await runsOf('branch:main')).toEqual([id(2), id(1)]);
    expect(await runsOf(id(3))).toEqual([id(3)]);
    expect(await store.prune({ keep: 1 })).toEqual({ runs: 1, results: 0 });
    await store.removeBaseline('main');
    await expect(store.removeBaseline('main')).rejects.toThrow('there is no baseline "main"');
  });

  test('knows which cases flip', async () => {
    for (let n = 1; n <= 6; n += 1)
      await store.importRun([
        startEvent({ run_id: id(n), timestamp: at(n), runs_per_case: 2 }),
        resultEvent('A', { run: 1, status: n % 2 === 0 ? 'failed' : 'passed' }),
        resultEvent('A', { run: 2 }),
        resultEvent('B'),
      ]);
    expect(await store.flakyCases()).toEqual({
      cases: [
        {
          test_id: TEST,
          case_id: 'A',
          variables: null,
          kind: 'flaky',
          passed: 9,
          runs: 12,
          flip_rate: expect.closeTo((2 * 9.5 * 3.5) / (13 * 14), 12),
          passes_now: false,
          last_run_id: id(6),
        },
      ],
      is_complete: true,
    });
  });

  test('is only read if that is all that was asked for', async () => {
    await store.importRun([startEvent({ run_id: id(1) }), resultEvent('A')]);
    const reader = await openStore(place, { readOnly: true });
    expect((await reader.run('latest')).run_id).toBe(id(1));
    await expect(reader.importRun([startEvent({ run_id: id(2) })])).rejects.toMatchObject({
      reason: 'read-only',
    });
    await reader.close();
    expect(await count('test_runs')).toBe(1);
  });

  test('keeps any text there is', async () => {
    const strange = resultEvent(`nul \0 half \ud800 quote ' ${'x'.repeat(5000)}`, {
      key: 'k',
      status: 'failed',
      error: 'nul \0',
      output: 'nul \0 and \u2028',
      test_id: 'таблица/表',
      variables: { 'a\0': '\0' },
    });
    await store.importRun([startEvent({ run_id: id(1) }), strange]);
    expect(await store.results(id(1))).toEqual({ total: 1, results: [strange] });
    const [first] = await store.caseHistory(strange.test_id, strange.id);
    expect(first).toMatchObject({ status: 'failed', variables: { 'a\0': '\0' }, test_id: 'таблица/表' });
  });

  test('follows a case through the runs that had it', async () => {
    const git = { commit: 'c0ffee', dirty: false };
    await store.importRun([
      startEvent({ run_id: id(1), timestamp: at(1), origin: { git } }),
      resultEvent('A', { duration_ms: 10 }),
    ]);
    await store.importRun([startEvent({ run_id: id(2), timestamp: at(2) }), resultEvent('B')]);
    await store.importRun([
      startEvent({ run_id: id(3), timestamp: at(3), runs_per_case: 2, flags: { min_pass_rate: 50 } }),
      resultEvent('A', { run: 1, duration_ms: 20 }),
      resultEvent('A', { run: 2, duration_ms: 40, status: 'timeout', error: 'late' }),
    ]);
    const common = {
      test_id: TEST,
      case_id: 'A',
      variables: null,
      variables_sha256: '',
      line: null,
      agent_sha256: 'bb',
    };
    const newest = {
      ...common,
      run_id: id(3),
      started_at: at(3),
      status: 'passed',
      runs: 2,
      passed: 1,
      measured: 2,
      pass_rate: 50,
      avg_duration_ms: 30,
      git: null,
    };
    const oldest = {
      ...common,
      run_id: id(1),
      started_at: at(1),
      status: 'passed',
      runs: 1,
      passed: 1,
      measured: 1,
      pass_rate: 100,
      avg_duration_ms: 10,
      git,
    };
    expect(await store.caseHistory(TEST, 'A')).toEqual([newest, oldest]);
    expect(await store.caseHistory(TEST, 'A', 1)).toEqual([newest]);
    expect(await store.caseHistory(TEST, 'C')).toEqual([]);
  });

  test('prunes what every rule lets go, and what only that used', async () => {
    const test: TestDefinition = { id: 'old', name: 'Old', type: 'kind', input: TEST };
    const suite = { id: 'all', name: 'All', tests: ['old'] };
    const types = [{ id: 'kind', name: 'A kind', kind: 'agent-eval' as const }];
    const made = { suite: 'all', definitions: { types, tests: [test], suite } };
    for (const n of [1, 2, 3, 4]) {
      await store.importRun([
        startEvent({ run_id: id(n), timestamp: at(n), ...(n === 1 && made) }),
        resultEvent('A'),
        resultEvent('B'),
      ]);
    }
    await expect(store.prune({})).rejects.toThrow('nothing says which runs to delete');
    expect(await store.prune({ keep: 3, olderThan: at(1) })).toEqual({ runs: 0, results: 0 });
    expect(await store.prune({ keep: 2, olderThan: at(2) })).toEqual({ runs: 1, results: 2 });
    const unused = ['run_tests', 'suite_runs', 'tests', 'test_types', 'suites'].map(count);
    expect(await Promise.all(unused)).toEqual([0, 0, 0, 0, 0]);
    expect(await store.prune({ keep: 1 })).toEqual({ runs: 2, results: 4 });
    expect((await store.runs()).map((run) => run.run_id)).toEqual([id(4)]);
    expect([await count('results'), await count('run_cases')]).toEqual([2, 2]);
  });

  test('takes a run as it comes, in order, in more batches than one', async () => {
    const results = Array.from({ length: 1234 }, (_, n) => resultEvent(`C${n}`));
    const recorder = store.record(startEvent({ run_id: id(1), total_cases: 1234 }), { batchRows: 100 });
    for (const result of results) void recorder.add([{ event: result, line: `${JSON.stringify(result)}\n` }]);
    await recorder.finish(summaryEvent({ total: 1234 }));
    expect(await store.results(id(1), { limit: 2000 })).toEqual({ total: 1234, results });
    expect((await store.run(id(1))).summary?.total).toBe(1234);
    expect(await count('run_cases')).toBe(1234);
  });

  test('counts right when two record the same run at once', async () => {
    const other = await openStore(place);
    const results: ResultEvent[] = Array.from({ length: 600 }, (_, n) =>
      resultEvent(`C${n % 20}`, { run: n, duration_ms: 2 }),
    );
    const events = [startEvent({ run_id: id(1), runs_per_case: 30 }), ...results];
    const imports = [store, other].flatMap((one) => [one.importRun(events), one.importRun(events)]);
    await Promise.all(imports);
    await other.close();
    const cases = await store.cases(id(1));
    expect(cases.map((one) => [one.runs, one.passed, one.avg_duration_ms])).toEqual(
      Array.from({ length: 20 }, () => [30, 30, 2]),
    );
  });

  test('stops recording, and not the run, when it cannot keep up', async () => {
    const recorder = store.record(startEvent({ run_id: id(1) }), { maxRows: 10 });
    for (let n = 0; n < 30; n++) void recorder.add([resultEvent(`C${n}`)]);
    await expect(recorder.finish(summaryEvent())).rejects.toMatchObject({
      reason: 'behind',
      message: `the history ${store.place} does not keep up with the run`,
      hint: 'the run log is complete: import it once the history works again',
    });
    expect(recorder.failure()?.message).toContain('does not keep up');
  });

  test('says so when it was closed', async () => {
    const closed = await openStore(place);
    await closed.close();
    await expect(closed.runs()).rejects.toMatchObject({ reason: 'closed' });
  });
});

describe('the history in PostgreSQL', () => {
  const postgres = DATABASES[1];

  test('goes on when the server ends its connections', async () => {
    const place = (await postgres?.create()) ?? '';
    const store = await openStore(place);
    const recorder = store.record(startEvent({ run_id: id(1) }), { batchRows: 10 });
    for (let n = 0; n < 300; n++) {
      if (n % 100 === 50) {
        await postgres?.query(
          place,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        );
      }
      await recorder.add([resultEvent(`C${n}`)]);
      if (n % 10 === 0) await recorder.flush();
    }
    await recorder.finish(summaryEvent());
    expect((await store.results(id(1))).total).toBe(300);
    await store.close();
  });

  test('waits for a lock only so long', async () => {
    const place = (await postgres?.create()) ?? '';
    await (await openStore(place)).close();
    const store = await openStore(place, { waitMs: 300 });
    const holder = new Client({ connectionString: place });
    await holder.connect();
    await holder.query('begin');
    await holder.query('lock table test_runs in exclusive mode');
    await expect(store.importRun([startEvent({ run_id: id(1) })])).rejects.toMatchObject({
      reason: 'locked',
    });
    await holder.end();
    await store.importRun([startEvent({ run_id: id(1) })]);
    expect((await store.runs()).map((run) => run.run_id)).toEqual([id(1)]);
    await store.close();
  });

  test('says which server cannot be reached, without its password', async () => {
    const place = inject('postgresUrl').replace(/:\d+\//, ':1/');
    await expect(openStore(place)).rejects.toMatchObject({
      reason: 'lost',
      message: expect.stringMatching(
        /^the history postgres:\/\/assay:\*\*\*@127\.0\.0\.1:1\/postgres cannot be reached/,
      ),
    });
    await expect(openStore(place.replace(':1/', ':x/'))).rejects.toThrow(
      'the address of the history is not a URL',
    );
    const wrong = inject('postgresUrl').replace('secret', 'wrong');
    await expect(openStore(wrong)).rejects.toMatchObject({ reason: 'denied' });
  });
});
