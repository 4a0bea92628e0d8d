// Compares two runs. The database pairs and counts the cases; only listed cases are read.

import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { toStoredCase, caseRules } from './cases.ts';
import type { Connection, Database } from './connection.ts';
import type { FoundRun } from './runs.ts';
import { parseJsonOrNull } from './runs.ts';
import type { CaseCounts, RunCasesTable } from './schema.ts';
import { COUNT_COLUMNS } from './schema.ts';
import type { CaseSide, Change, ComparedCase, CompareOptions, Comparison, StoredCase } from './store.ts';

/** Maximum number of listed cases for each change, unless all are wanted. */
const MAX_LISTED = 1000;

/** Pairs cases with equal test, id and variables. */
export async function compareRuns(
  connection: Connection,
  before: FoundRun,
  after: FoundRun,
  { all = false }: CompareOptions = {},
): Promise<Comparison> {
  const rules = { before: caseRules(before.run), after: caseRules(after.run) };
  const compared = (row: Pair): ComparedCase => {
    const [then, now] = [sideRow(row, 'b_'), sideRow(row, 'a_')];
    return {
      test_id: row.test_id,
      case_id: row.case_id,
      variables: parseJsonOrNull(row.variables),
      change: row.change,
      before: then === null ? null : toSide(toStoredCase(then, rules.before)),
      after: now === null ? null : toSide(toStoredCase(now, rules.after)),
    };
  };
  return connection.read(async (db) => {
    const queries = new PairQueries(db, before.no, after.no);
    const { counts, rows } = await (all ? compareAll(queries) : compareChanged(queries));
    return { before: before.run, after: after.run, counts, cases: rows.map(compared) };
  });
}

type Counts = Record<Change, number>;
type PairedCases = { counts: Counts; rows: Pair[] };

const NONE: Counts = { improved: 0, new: 0, regressed: 0, removed: 0, unchanged: 0, unmeasured: 0 };

async function compareAll(queries: PairQueries): Promise<PairedCases> {
  const rows = [...(await queries.later(sql`true`)), ...(await queries.removed())];
  const counts = { ...NONE };
  for (const { change } of rows) counts[change] += 1;
  return { counts, rows };
}

/** Pairing takes most of the time: if little has changed, one pass gives both the rows and the counts. */
async function compareChanged(queries: PairQueries): Promise<PairedCases> {
  const rows = await queries.later(sql`${DIFFERS} and ${CHANGE} <> 'unchanged'`, MAX_LISTED + 1);
  const counts = rows.length > MAX_LISTED ? await queries.counts() : await queries.countsWith(rows);
  const listed = rows.length > MAX_LISTED ? await firstOfEach(queries, counts) : rows;
  return {
    counts,
    rows: counts.removed === 0 ? listed : [...listed, ...(await queries.removed(MAX_LISTED))],
  };
}

async function firstOfEach(queries: PairQueries, counts: Counts): Promise<Pair[]> {
  const rows: Pair[] = [];
  for (const change of ['regressed', 'improved', 'new', 'unmeasured'] as const)
    if (counts[change] > 0)
      rows.push(...(await queries.later(sql`${CHANGE} = ${sql.lit(change)}`, MAX_LISTED)));
  return rows;
}

const MEASURED = {
  a: sql`(a.passed + a.failed + a.timeouts + a.errors)`,
  b: sql`(b.passed + b.failed + b.timeouts + b.errors)`,
};

/** Compares pass rates without a division. A case measured in only one run counts as unmeasured. */
const CHANGE = sql<Change>`case when b.run_no is null then 'new'
  when ${MEASURED.a} = 0 and ${MEASURED.b} = 0 then 'unchanged'
  when ${MEASURED.a} = 0 or ${MEASURED.b} = 0 then 'unmeasured'
  when a.passed * ${MEASURED.b} > b.passed * ${MEASURED.a} then 'improved'
  when a.passed * ${MEASURED.b} < b.passed * ${MEASURED.a} then 'regressed'
  else 'unchanged' end`;

/** A cheap condition that excludes most unchanged pairs. */
const DIFFERS = sql`(b.run_no is null or a.passed <> b.passed or a.failed <> b.failed
  or a.timeouts <> b.timeouts or a.errors <> b.errors)`;

type Prefixed<P extends string> = { [K in keyof CaseCounts as `${P}${K}`]: CaseCounts[K] | null };
type Pair = Pick<RunCasesTable, 'test_id' | 'case_id' | 'variables' | 'variables_sha256' | 'line'> &
  Prefixed<'a_'> &
  Prefixed<'b_'> & { change: Change };

/** Queries on two runs; `a` is a case of the first run, `b` its pair in the other. */
class PairQueries {
  readonly #db: Database;
  readonly #before: number;
  readonly #after: number;

  constructor(db: Database, before: number, after: number) {
    this.#db = db;
    this.#before = before;
    this.#after = after;
  }

  /** Cases of the later run. */
  async later(condition: RawBuilder<unknown>, limit?: number): Promise<Pair[]> {
    return this.#select(pairs(this.#after, this.#before), ['a', 'b'], CHANGE, condition, limit);
  }

  /** Cases that only the earlier run has. */
  async removed(limit?: number): Promise<Pair[]> {
    const from = pairs(this.#before, this.#after);
    return this.#select(from, ['b', 'a'], sql`'removed'`, sql`b.run_no is null`, limit);
  }

  async counts(): Promise<Counts> {
    const { rows } = await sql<{ change: Change; n: number }>`
      select ${CHANGE} as change, count(*) as n from ${pairs(this.#after, this.#before)} group by 1`.execute(
      this.#db,
    );
    const counts = { ...NONE };
    for (const { change, n } of rows) Object.assign(counts, { [change]: n });
    const paired = changedPairs(counts) + counts.unchanged;
    return { ...counts, removed: (await this.#size(this.#before)) - paired };
  }

  /** The counts, given that these rows are all changes. */
  async countsWith(rows: readonly Pair[]): Promise<Counts> {
    const counts = { ...NONE };
    for (const { change } of rows) counts[change] += 1;
    const paired = (await this.#size(this.#after)) - counts.new;
    const removed = (await this.#size(this.#before)) - paired;
    return { ...counts, removed, unchanged: paired - changedPairs(counts) };
  }

  async #size(run: number): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from run_cases where run_no = ${run}`.execute(this.#db);
    return rows[0]?.n ?? 0;
  }

  async #select(
    from: RawBuilder<unknown>,
    [a, b]: readonly [string, string],
    change: RawBuilder<unknown>,
    condition: RawBuilder<unknown>,
    limit: number | undefined,
  ): Promise<Pair[]> {
    const sides = COUNT_COLUMNS.flatMap((column) => [
      sql`${sql.ref(`${a}.${column}`)} as ${sql.ref(`a_${column}`)}`,
      sql`${sql.ref(`${b}.${column}`)} as ${sql.ref(`b_${column}`)}`,
    ]);
    const { rows } = await sql<Pair>`
      select a.test_id, a.case_id, a.variables, a.variables_sha256, a.line, ${change} as change, ${sql.join(sides)}
      from ${from} and ${condition} order by a.test_id, a.case_id, a.variables_sha256
      ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(this.#db);
    return rows;
  }
}

/** The number of pairs that changed. */
function changedPairs({ improved, regressed, unmeasured }: Counts): number {
  return improved + regressed + unmeasured;
}

function pairs(a: number, b: number): RawBuilder<unknown> {
  return sql`run_cases a left join run_cases b on b.run_no = ${b} and b.test_id = a.test_id
    and b.case_id = a.case_id and b.variables_sha256 = a.variables_sha256 where a.run_no = ${a}`;
}

function sideRow(pair: Pair, prefix: 'a_' | 'b_'): Parameters<typeof toStoredCase>[0] | null {
  const { test_id, case_id, variables, variables_sha256, line } = pair;
  if (pair[`${prefix}passed`] === null) return null;
  const counts: Omit<CaseCounts, 'uncounted'> = {
    passed: pair[`${prefix}passed`] ?? 0,
    failed: pair[`${prefix}failed`] ?? 0,
    timeouts: pair[`${prefix}timeouts`] ?? 0,
    errors: pair[`${prefix}errors`] ?? 0,
    unmeasured: pair[`${prefix}unmeasured`] ?? 0,
    skipped: pair[`${prefix}skipped`] ?? 0,
    duration_ms: pair[`${prefix}duration_ms`] ?? 0,
  };
  return { test_id, case_id, variables, variables_sha256, line, ...counts };
}

function toSide({ status, runs, passed, pass_rate, avg_duration_ms }: StoredCase): CaseSide {
  return { status, runs, passed, pass_rate, avg_duration_ms };
}
