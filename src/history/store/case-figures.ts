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
    const rows = numbers.size === 0 ? [] : await sumCases(db, { runs, baseline, tests }, numbers);
    const cases = new Map<string, CaseFigures>();
    for (const { test_id, case_id, variables_sha256, ...figures } of rows)
      cases.set(caseKey(test_id, case_id, variables_sha256), figures);
    return { cases: caseFinder(cases), runs: await sumRuns(db, runs, numbers) };
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
const ATTEMPTS = sql`passed + failed + timeouts + errors + unmeasured + uncounted`;

/** The sum of an expression as a number in both databases: PostgreSQL gives sums of whole numbers as text. */
function sum(expression: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(coalesce(sum(${expression}), 0) as double precision)`;
}

async function sumCases(
  db: Database,
  { runs, baseline, tests }: FiguresOf,
  numbers: ReadonlyMap<string, number>,
): Promise<Row[]> {
  /** The sum over some of the runs; over all of them, which is usual, the database need not look at the run. */
  const among = (some: readonly string[], expression: RawBuilder<unknown>): RawBuilder<unknown> =>
    [...numbers.keys()].every((id) => some.includes(id))
      ? sum(expression)
      : sum(sql`case when run_no in (${listOf(some, numbers)}) then ${expression} else 0 end`);
  const ofTests =
    tests.length > MOST_TESTS
      ? sql``
      : sql`and test_id in (${sql.join(['', ...tests.map((test) => name(test))])})`;
  const { rows } = await sql<Row>`
    select test_id, case_id, variables_sha256,
      ${among(runs, sql`case when cost_usd is null then 0 else ${ATTEMPTS} end`)} as attempts,
      ${among(runs, sql`coalesce(cost_usd, 0)`)} as cost_usd,
      ${among(runs, sql`coalesce(unpriced, 0)`)} as unpriced,
      ${among(runs, sql`passed`)} as passed, ${among(runs, MEASURED)} as measured,
      ${among(runs, sql`duration_ms`)} as duration_ms,
      ${among(baseline, sql`passed`)} as baseline_passed,
      ${among(baseline, MEASURED)} as baseline_measured
    from run_cases where run_no in (${listOf([...numbers.keys()], numbers)}) ${ofTests}
    group by test_id, case_id, variables_sha256`.execute(db);
  return rows;
}

async function sumRuns(
  db: Database,
  runs: readonly string[],
  numbers: ReadonlyMap<string, number>,
): Promise<RunFigures[]> {
  const { rows } = await sql<Omit<RunFigures, 'run_id'> & { run_no: number }>`
    select run_no, ${sum(sql`1`)} as cases, ${sum(ATTEMPTS)} as attempts, ${sum(sql`duration_ms`)} as duration_ms,
      ${sum(sql`coalesce(cost_usd, 0)`)} as cost_usd
    from run_cases where run_no in (${listOf(runs, numbers)}) group by run_no`.execute(db);
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
