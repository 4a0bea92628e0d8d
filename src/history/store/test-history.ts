// One test over its newest runs: the result of each run, and the cases whose status changed.

import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Status } from '../../model/outcome.ts';
import { toStoredCase, caseRules, parsedRun } from './cases.ts';
import type { Connection, Database } from './connection.ts';
import { name } from './event-rows.ts';
import { toGit, parseJsonOrNull } from './runs.ts';
import type { RunCasesTable } from './schema.ts';
import type { TestHistory } from './store.ts';

/** Maximum number of listed cases. */
const MAX_LISTED = 500;
/** Maximum number of rows to examine for them. */
const MAX_EXAMINED = 30_000;
const KEYS_PER_QUERY = 200;

type Counts = Pick<
  RunCasesTable,
  'errors' | 'failed' | 'passed' | 'run_no' | 'skipped' | 'timeouts' | 'uncounted' | 'unmeasured'
>;
type Key = Pick<RunCasesTable, 'case_id' | 'variables_sha256'>;
type CaseRow = Counts & Key & Pick<RunCasesTable, 'variables'>;
type Listed = TestHistory['cases'][number] & { failures: number };

/** The newest runs that have the test, and their cases, most frequent changes first. */
export async function readTestHistory(
  connection: Connection,
  testId: string,
  limit: number,
): Promise<TestHistory> {
  const test_id = name(testId);
  return connection.read(async (db) => {
    const runs = await selectRuns(db, test_id, limit);
    if (runs.length === 0) return { test_id: testId, runs: [], cases: [], total_cases: 0 };
    const rules = new Map(runs.map((run) => [run.no, caseRules(parsedRun(run))]));
    const caseEnd = (row: Counts): { status: Status; isMeasured: boolean } => {
      const rule = rules.get(row.run_no) ?? (() => ({ runs: 1, passRule: undefined }));
      const { status } = toStoredCase({ ...EMPTY, ...row, test_id }, rule);
      const hasFailed = status !== 'skipped' && row.failed + row.timeouts + row.errors > 0;
      return { status, isMeasured: status === 'passed' || hasFailed };
    };
    const queries = new TestQueries(
      db,
      test_id,
      runs.map(({ no }) => no),
    );
    const ends = countEnds(await queries.counts(), (row) => caseEnd(row).status);
    const changing = await queries.changing();
    const steady = changing.length < MAX_LISTED ? await queries.first(MAX_LISTED, changing) : [];
    const order = new Map(runs.map(({ no }, place) => [no, place]));
    const cases = toCases(await queries.rows([...changing, ...steady]), order, caseEnd);
    return {
      test_id: testId,
      runs: runs.map((run) => {
        const { passed, failed, skipped } = ends.get(run.no) ?? { passed: 0, failed: 0, skipped: 0 };
        return { run_id: run.run_id, started_at: run.started_at, git: toGit(run), passed, failed, skipped };
      }),
      cases: cases
        .sort(byInterest)
        .slice(0, MAX_LISTED)
        .map(({ failures: _failures, ...one }) => one),
      total_cases: await queries.total(),
    };
  });
}

/** Columns that do not affect the status. */
const EMPTY = { case_id: '', variables_sha256: '', variables: null, line: null, duration_ms: 0 };

function selectRuns(db: Database, testId: string, limit: number) {
  return db
    .selectFrom('test_runs')
    .select(['no', 'run_id', 'started_at', 'git_branch', 'git_commit', 'git_dirty'])
    .select(['inputs', 'flags', 'runs_per_case', 'min_pass_rate'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('run_cases')
          .select('run_cases.run_no')
          .whereRef('run_cases.run_no', '=', 'test_runs.no')
          .where('run_cases.test_id', '=', testId),
      ),
    )
    .orderBy('started_at', 'desc')
    .orderBy('no', 'desc')
    .limit(limit)
    .execute();
}

/** Counts cases by status. Equal counts in one run give the same status, so the database need not know the rules. */
function countEnds(
  counted: readonly (Counts & { cases: number })[],
  statusOf: (row: Counts) => Status,
): Map<number, { passed: number; failed: number; skipped: number }> {
  const ends = new Map<number, { passed: number; failed: number; skipped: number }>();
  for (const row of counted) {
    const known = ends.get(row.run_no) ?? { passed: 0, failed: 0, skipped: 0 };
    const status = statusOf(row);
    known[status === 'passed' || status === 'skipped' ? status : 'failed'] += row.cases;
    ends.set(row.run_no, known);
  }
  return ends;
}

function toCases(
  rows: readonly CaseRow[],
  order: ReadonlyMap<number, number>,
  caseEnd: (row: Counts) => { status: Status; isMeasured: boolean },
): Listed[] {
  const byCase = new Map<string, CaseRow[]>();
  for (const row of rows) {
    const id = keyText(row);
    const known = byCase.get(id);
    if (known === undefined) byCase.set(id, [row]);
    else known.push(row);
  }
  return [...byCase.values()].map((own) => {
    const statuses: (Status | null)[] = Array.from({ length: order.size }, () => null);
    const passes: (boolean | undefined)[] = [];
    for (const row of own) {
      const place = order.get(row.run_no) ?? 0;
      const { status, isMeasured } = caseEnd(row);
      statuses[place] = status;
      passes[place] = isMeasured ? status === 'passed' : undefined;
    }
    const known = passes.filter((one) => one !== undefined);
    return {
      case_id: own[0]?.case_id ?? '',
      variables: parseJsonOrNull<Record<string, unknown>>(own[0]?.variables ?? null),
      flips: known.filter((one, place) => place > 0 && one !== known[place - 1]).length,
      statuses,
      failures: known.filter((one) => !one).length,
    };
  });
}

function byInterest(a: Listed, b: Listed): number {
  const byId = a.case_id < b.case_id ? -1 : Number(a.case_id > b.case_id);
  return b.flips - a.flips || b.failures - a.failures || byId;
}

function keyText({ case_id, variables_sha256 }: Key): string {
  // Names never contain NUL.
  return `${case_id}\0${variables_sha256}`;
}

const NOT_ONLY_PASSED = sql`(passed = 0 or failed + timeouts + errors + unmeasured + skipped > 0)`;
const NOT_PLAIN = sql`(${NOT_ONLY_PASSED} or uncounted > 0)`;
const ZEROS = { failed: 0, timeouts: 0, errors: 0, unmeasured: 0, skipped: 0, uncounted: 0 };

/** Queries about one test in some runs. */
class TestQueries {
  readonly #db: Database;
  readonly #testId: string;
  readonly #runs: readonly number[];
  readonly #where: RawBuilder<unknown>;

  constructor(db: Database, testId: string, runs: readonly number[]) {
    this.#db = db;
    this.#testId = testId;
    this.#runs = runs;
    this.#where = sql`run_no in (${sql.join(runs)}) and test_id = ${testId}`;
  }

  /** The number of cases with the same counts, by run: few rows even for many cases. */
  async counts(): Promise<(Counts & { cases: number })[]> {
    // Most cases only passed, all equally often: then counting needs no sort.
    const { rows } = await sql<{ run_no: number; least: number; most: number; cases: number }>`
      select run_no, min(passed) as least, max(passed) as most, count(*) as cases from run_cases
      where ${this.#where} and not ${NOT_PLAIN} group by run_no`.execute(this.#db);
    const alike = rows.filter(({ least, most }) => least === most);
    const clean = alike.map(({ run_no, most: passed, cases }) =>
      Object.assign({ run_no, passed, cases }, ZEROS),
    );
    const others = rows.filter(({ least, most }) => least !== most).map(({ run_no }) => run_no);
    const isOther = others.length === 0 ? NOT_PLAIN : sql`(${NOT_PLAIN} or run_no in (${sql.join(others)}))`;
    const columns = sql`run_no, passed, failed, timeouts, errors, unmeasured, skipped, uncounted`;
    const grouped = await sql<Counts & { cases: number }>`
      select ${columns}, count(*) as cases from run_cases where ${this.#where} and ${isOther} group by ${columns}`.execute(
      this.#db,
    );
    return [...clean, ...grouped.rows];
  }

  /** Cases with runs that did not pass, those with the most possible changes first. */
  async changing(): Promise<Key[]> {
    const all = this.#runs.length;
    const most = Math.max(MAX_LISTED, Math.floor(MAX_EXAMINED / all));
    const { rows } = await sql<Key>`
      select case_id, variables_sha256 from run_cases
      where ${this.#where} and ${NOT_ONLY_PASSED}
      group by case_id, variables_sha256
      order by case when 2 * count(*) > ${all} then ${all} - count(*) else count(*) end desc, count(*) desc,
        case_id, variables_sha256
      limit ${most}`.execute(this.#db);
    return rows;
  }

  /** The first other cases by id: the cases of every run are stored in this order. */
  async first(wanted: number, others: readonly Key[]): Promise<Key[]> {
    const known = new Set(others.map(keyText));
    const found = new Map<string, Key>();
    for (const run of this.#runs) {
      const { rows } = await sql<Key>`
        select case_id, variables_sha256 from run_cases where run_no = ${run} and test_id = ${this.#testId}
        order by case_id, variables_sha256 limit ${wanted + known.size}`.execute(this.#db);
      for (const row of rows) if (!known.has(keyText(row))) found.set(keyText(row), row);
    }
    const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.slice(0, wanted - known.size).map(([, key]) => key);
  }

  async rows(keys: readonly Key[]): Promise<CaseRow[]> {
    const found: CaseRow[] = [];
    for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
      const some = keys.slice(at, at + KEYS_PER_QUERY);
      const values = some.map((key) => sql`(${key.case_id}, ${key.variables_sha256})`);
      // SQLite keeps the order of a cross join: it looks up each key by the primary key.
      const { rows } = await sql<CaseRow>`
        with wanted (id, variables_hash) as (values ${sql.join(values)})
        select run_no, case_id, variables_sha256, variables, passed, failed, timeouts, errors, unmeasured, skipped, uncounted
        from wanted cross join run_cases
        where ${this.#where} and case_id = wanted.id and variables_sha256 = wanted.variables_hash`.execute(
        this.#db,
      );
      for (const row of rows) found.push(row);
    }
    return found;
  }

  async total(): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (select 1 from run_cases where ${this.#where} group by case_id, variables_sha256) as known`.execute(
      this.#db,
    );
    return rows[0]?.n ?? 0;
  }
}
