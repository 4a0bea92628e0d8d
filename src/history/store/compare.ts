// Two runs in, what changed from one to the other out. The database pairs and counts; only what is listed is read.

import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { caseOf, rulesOf } from './cases.ts';
import type { Connection, Database } from './connection.ts';
import type { FoundRun } from './runs.ts';
import { parsedOrNull } from './runs.ts';
import type { RunCasesTable } from './schema.ts';
import type { CaseSide, Change, ComparedCase, CompareOptions, Comparison, StoredCase } from './store.ts';

/** So many of each change are listed, unless everything is wanted. */
const LISTED = 1000;

/** Pairs cases with equal test, id and variables; any other two say nothing about each other. */
export async function compareRuns(
  connection: Connection,
  before: FoundRun,
  after: FoundRun,
  { all = false }: CompareOptions = {},
): Promise<Comparison> {
  const rules = { before: rulesOf(before.run), after: rulesOf(after.run) };
  const compared = (row: Pair): ComparedCase => {
    const [then, now] = [sideRow(row, 'b_'), sideRow(row, 'a_')];
    return {
      test_id: row.test_id,
      case_id: row.case_id,
      variables: parsedOrNull(row.variables),
      change: row.change,
      before: then === null ? null : sideOf(caseOf(then, rules.before)),
      after: now === null ? null : sideOf(caseOf(now, rules.after)),
    };
  };
  return connection.read(async (db) => {
    const ask = new Question(db, before.no, after.no);
    const { counts, rows } = await (all ? everything(ask) : changes(ask));
    return { before: before.run, after: after.run, counts, cases: rows.map(compared) };
  });
}

type Counts = Record<Change, number>;
type Found = { counts: Counts; rows: Pair[] };

const NONE: Counts = { improved: 0, new: 0, regressed: 0, removed: 0, unchanged: 0, unmeasured: 0 };

async function everything(ask: Question): Promise<Found> {
  const rows = [...(await ask.later(sql`true`)), ...(await ask.removed())];
  const counts = { ...NONE };
  for (const { change } of rows) counts[change] += 1;
  return { counts, rows };
}

/** Pairing takes most of the time. If little has changed, pairing once gives both the rows and the counts. */
async function changes(ask: Question): Promise<Found> {
  const rows = await ask.later(sql`${DIFFERS} and ${CHANGE} <> 'unchanged'`, LISTED + 1);
  const counts = rows.length > LISTED ? await ask.counts() : await ask.countsWith(rows);
  const listed = rows.length > LISTED ? await firstOfEach(ask, counts) : rows;
  return { counts, rows: counts.removed === 0 ? listed : [...listed, ...(await ask.removed(LISTED))] };
}

async function firstOfEach(ask: Question, counts: Counts): Promise<Pair[]> {
  const rows: Pair[] = [];
  for (const change of ['regressed', 'improved', 'new', 'unmeasured'] as const)
    if (counts[change] > 0) rows.push(...(await ask.later(sql`${CHANGE} = ${sql.lit(change)}`, LISTED)));
  return rows;
}

const MEASURED = {
  a: sql`(a.passed + a.failed + a.timeouts + a.errors)`,
  b: sql`(b.passed + b.failed + b.timeouts + b.errors)`,
};

/** The pass rate decides, without a division. It takes two: a case that was measured on one side only says nothing. */
const CHANGE = sql<Change>`case when b.run_no is null then 'new'
  when ${MEASURED.a} = 0 and ${MEASURED.b} = 0 then 'unchanged'
  when ${MEASURED.a} = 0 or ${MEASURED.b} = 0 then 'unmeasured'
  when a.passed * ${MEASURED.b} > b.passed * ${MEASURED.a} then 'improved'
  when a.passed * ${MEASURED.b} < b.passed * ${MEASURED.a} then 'regressed'
  else 'unchanged' end`;

/** What is quickly asked of pairs that mostly are alike. */
const DIFFERS = sql`(b.run_no is null or a.passed <> b.passed or a.failed <> b.failed
  or a.timeouts <> b.timeouts or a.errors <> b.errors)`;

type Side = Pick<
  RunCasesTable,
  'passed' | 'failed' | 'timeouts' | 'errors' | 'unmeasured' | 'skipped' | 'duration_ms'
>;
type Prefixed<P extends string> = { [K in keyof Side as `${P}${K}`]: Side[K] | null };
type Pair = Pick<RunCasesTable, 'test_id' | 'case_id' | 'variables' | 'variables_sha256' | 'line'> &
  Prefixed<'a_'> &
  Prefixed<'b_'> & { change: Change };

const COLUMNS = [
  'passed',
  'failed',
  'timeouts',
  'errors',
  'unmeasured',
  'skipped',
  'duration_ms',
] as const satisfies (keyof Side)[];

/** What two runs are asked; `a` is a case of the run that is gone through, `b` its pair in the other one. */
class Question {
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

  /** Cases that only the earlier run has: new ones, seen the other way round. */
  async removed(limit?: number): Promise<Pair[]> {
    const from = pairs(this.#before, this.#after);
    return this.#select(from, ['b', 'a'], sql`'removed'`, sql`b.run_no is null`, limit);
  }

  async counts(): Promise<Counts> {
    const { rows } = await sql<{ change: Change; n: number }>`
      select ${CHANGE} as change, count(*) as n from ${pairs(this.#after, this.#before)} group by 1`.execute(
      this.#db,
    );
    const found = { ...NONE };
    for (const { change, n } of rows) Object.assign(found, { [change]: n });
    const paired = changedPairs(found) + found.unchanged;
    return { ...found, removed: (await this.#size(this.#before)) - paired };
  }

  /** The counts, if these rows are all that changed. */
  async countsWith(rows: readonly Pair[]): Promise<Counts> {
    const found = { ...NONE };
    for (const { change } of rows) found[change] += 1;
    const paired = (await this.#size(this.#after)) - found.new;
    const removed = (await this.#size(this.#before)) - paired;
    return { ...found, removed, unchanged: paired - changedPairs(found) };
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
    const sides = COLUMNS.flatMap((column) => [
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

/** Cases that both runs have and that are not the same in them. */
function changedPairs({ improved, regressed, unmeasured }: Counts): number {
  return improved + regressed + unmeasured;
}

function pairs(a: number, b: number): RawBuilder<unknown> {
  return sql`run_cases a left join run_cases b on b.run_no = ${b} and b.test_id = a.test_id
    and b.case_id = a.case_id and b.variables_sha256 = a.variables_sha256 where a.run_no = ${a}`;
}

function sideRow(pair: Pair, prefix: 'a_' | 'b_'): RunCasesTable | null {
  const { test_id, case_id, variables, variables_sha256, line } = pair;
  if (pair[`${prefix}passed`] === null) return null;
  const counts: Side = {
    passed: pair[`${prefix}passed`] ?? 0,
    failed: pair[`${prefix}failed`] ?? 0,
    timeouts: pair[`${prefix}timeouts`] ?? 0,
    errors: pair[`${prefix}errors`] ?? 0,
    unmeasured: pair[`${prefix}unmeasured`] ?? 0,
    skipped: pair[`${prefix}skipped`] ?? 0,
    duration_ms: pair[`${prefix}duration_ms`] ?? 0,
  };
  return { run_no: 0, test_id, case_id, variables, variables_sha256, line, ...counts };
}

function sideOf({ status, runs, passed, pass_rate, avg_duration_ms }: StoredCase): CaseSide {
  return { status, runs, passed, pass_rate, avg_duration_ms };
}
