// What cases have cost, how long they took and how often they passed, over several runs. The database adds up; a plan needs no results.

import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { caseKey } from '../../model/case-key.ts';
import type { Connection, Database } from './connection.ts';
import { name, variablesHash } from './event-rows.ts';
import type { CaseFigures, FiguresOf, HistoryFigures, RunFigures } from './store.ts';

/** With more tests than this, the cases of all tests are read: a list of parameters has a limit. */
const MOST_TESTS = 200;

type Row = CaseFigures & { test_id: string; case_id: string; variables_sha256: string };

/** Adds up the cases of some tests over runs, and apart from that over the runs of a baseline. */
export async function readCaseFigures(
  connection: Connection,
  { runs, baseline, tests }: FiguresOf,
): Promise<HistoryFigures> {
  return connection.read(async (db) => {
    const numbers = await runNumbers(db, [...runs, ...baseline]);
    const all = await casesOf(db, [...numbers.values()]);
    const rows = numbers.size === 0 ? [] : await sumCases(db, { runs, baseline, tests }, { numbers, all });
    const cases = new Map<string, CaseFigures>();
    for (const { test_id, case_id, variables_sha256, ...figures } of rows)
      cases.set(caseKey(test_id, case_id, variables_sha256), figures);
    return { cases: caseFinder(cases), runs: await sumRuns(db, runs, { numbers, all }) };
  });
}

async function runNumbers(db: Database, runIds: readonly string[]): Promise<Map<string, number>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('test_runs')
    .select(['run_id', 'no'])
    .where('run_id', 'in', [...new Set(runIds)])
    .execute();
  return new Map(rows.map(({ run_id, no }) => [run_id, no]));
}

/** The numbers of runs for `in`; 0, which no run has, because the list must not be empty. */
function listOf(runIds: readonly string[], numbers: ReadonlyMap<string, number>): RawBuilder<unknown> {
  return sql.join([0, ...runIds.flatMap((id) => numbers.get(id) ?? [])].map((no) => sql.lit(no)));
}

const MEASURED = sql`passed + failed + timeouts + errors`;
/** Not those that a decided run skipped: they were never executed. `never_run` comes from `casesOf`. */
const ATTEMPTS = sql`passed + failed + timeouts + errors + unmeasured + uncounted - never_run`;

/** The cases of some runs. Their results are read only for runs that were decided early, which is rare. */
async function casesOf(db: Database, runNumbers: readonly number[]): Promise<RawBuilder<unknown>> {
  const list = (numbers: readonly number[]): RawBuilder<unknown> =>
    sql.join([0, ...numbers].map((no) => sql.lit(no)));
  const { rows } = await sql<{ run_no: number }>`
    select distinct run_no from run_cases where run_no in (${list(runNumbers)}) and uncounted > 0`.execute(
    db,
  );
  if (rows.length === 0)
    return sql`(select run_cases.*, 0 as never_run from run_cases where run_no in (${list(runNumbers)})) as c`;
  return sql`(select run_cases.*, coalesce(skips, 0) as never_run from run_cases left join
    (select run_no as of_run, test_id as of_test, case_id as of_case, variables_sha256 as of_variables, count(*) as skips
      from results where run_no in (${list(rows.map(({ run_no }) => run_no))}) and uncounted = 'decided' and status = 'skipped'
      group by run_no, test_id, case_id, variables_sha256) as s
    on run_no = of_run and test_id = of_test and case_id = of_case and variables_sha256 = of_variables
    where run_no in (${list(runNumbers)})) as c`;
}

/** The sum of an expression as a number in both databases: PostgreSQL gives sums of whole numbers as text. */
function sum(expression: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(coalesce(sum(${expression}), 0) as double precision)`;
}

/** The numbers of the runs by id, and all of their cases. */
type NumberedCases = { numbers: ReadonlyMap<string, number>; all: RawBuilder<unknown> };

async function sumCases(
  db: Database,
  { runs, baseline, tests }: FiguresOf,
  { numbers, all }: NumberedCases,
): Promise<Row[]> {
  /** The sum over some of the runs; over all of them, which is usual, the database need not look at the run. */
  const among = (some: readonly string[], expression: RawBuilder<unknown>): RawBuilder<unknown> =>
    [...numbers.keys()].every((id) => some.includes(id))
      ? sum(expression)
      : sum(sql`case when run_no in (${listOf(some, numbers)}) then ${expression} else 0 end`);
  const ofTests =
    tests.length > MOST_TESTS
      ? sql``
      : sql`where test_id in (${sql.join(['', ...tests.map((test) => name(test))])})`;
  const { rows } = await sql<Row>`
    select test_id, case_id, variables_sha256,
      ${among(runs, sql`case when cost_usd is null then 0 else ${ATTEMPTS} end`)} as attempts,
      ${among(runs, sql`coalesce(cost_usd, 0)`)} as cost_usd,
      ${among(runs, sql`coalesce(unpriced, 0)`)} as unpriced,
      ${among(runs, sql`passed`)} as passed, ${among(runs, MEASURED)} as measured,
      ${among(runs, sql`duration_ms`)} as duration_ms,
      ${among(baseline, sql`passed`)} as baseline_passed,
      ${among(baseline, MEASURED)} as baseline_measured
    from ${all} ${ofTests}
    group by test_id, case_id, variables_sha256`.execute(db);
  return rows;
}

async function sumRuns(
  db: Database,
  runs: readonly string[],
  { numbers, all }: NumberedCases,
): Promise<RunFigures[]> {
  const { rows } = await sql<Omit<RunFigures, 'run_id'> & { run_no: number }>`
    select run_no, ${sum(sql`1`)} as cases, ${sum(ATTEMPTS)} as attempts, ${sum(sql`duration_ms`)} as duration_ms,
      ${sum(sql`coalesce(cost_usd, 0)`)} as cost_usd
    from ${all} where run_no in (${listOf(runs, numbers)}) group by run_no`.execute(db);
  const byNumber = new Map(rows.map(({ run_no, ...figures }) => [run_no, figures]));
  return runs.flatMap((run_id) => {
    const figures = byNumber.get(numbers.get(run_id) ?? 0);
    return figures === undefined ? [] : [{ run_id, ...figures }];
  });
}

/** Finds the figures of a case by its names as they are in the log. */
function caseFinder(cases: ReadonlyMap<string, CaseFigures>): HistoryFigures['cases'] {
  const hashes = new WeakMap<object, string>();
  const hashOf = (variables: Record<string, unknown> | undefined): string => {
    if (variables === undefined) return '';
    const known = hashes.get(variables) ?? variablesHash(variables);
    hashes.set(variables, known);
    return known;
  };
  return {
    size: cases.size,
    find: (testId, caseId, variables) => cases.get(caseKey(name(testId), name(caseId), hashOf(variables))),
  };
}
